/** Somebody sets the time of day, or a machine wakes up: what is measured in this process goes on as if nothing were. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultTimeouts } from '../../../lib/config/server-config.ts';
import { createUpstreamFixture, failureOf, faultConfig } from '../../support/upstream-fixture.ts';

const test = suite('calls while the time of day jumps');
const hourMs = 3_600_000;
const { now } = Date;
let aheadMs = 0;
Date.now = () => now() + aheadMs;
const fixture = createUpstreamFixture();
const { upstreams, call, callText } = fixture;

test.after.each(() => {
  aheadMs = 0;
});
test.after(() => fixture.close());

test('an hour ahead ends no call, no start and no server that is in use', async () => {
  const timeouts = { ...defaultTimeouts, idleStopSeconds: 60 };
  upstreams.install(faultConfig('ahead', [], { timeouts }));
  const before = await callText('ahead', 'pid');
  const slow = callText('ahead', 'slow', { ms: 700 });

  aheadMs = hourMs;

  assert.is(await slow, 'slow');
  assert.is(await callText('ahead', 'pid'), before);
});

test('an hour back lets no call wait longer than it may', async () => {
  upstreams.install(faultConfig('back', [], { timeouts: { ...defaultTimeouts, callMs: 200 } }));
  await callText('back', 'pid');
  const hanging = failureOf(call('back', 'hang'));

  aheadMs = -hourMs;

  assert.is((await hanging).code, 'upstream_timeout');
});

test.run();
