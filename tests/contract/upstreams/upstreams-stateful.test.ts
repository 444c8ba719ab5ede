import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultLimits } from '../../../lib/config/server-config.ts';
import {
  createUpstreamFixture,
  failureOf,
  faultConfig,
  isAlive,
  until,
} from '../../support/upstream-fixture.ts';

const test = suite('a stateful server');

const fixture = createUpstreamFixture();
const { upstreams, listings, call, callText } = fixture;
const limits = { ...defaultLimits, sessions: 2 };
const pid = async (sessionId: string) => Number(await callText('browser', 'pid', {}, { sessionId }));

test.before(async () => {
  const candidate = await upstreams.prepare(faultConfig('browser', [], { sessionMode: 'stateful', limits }));
  await candidate.commit();
});
test.after(() => fixture.close());

test('needs no process once its lists are known', async () => {
  await until(() => upstreams.status('browser')?.state === 'idle');

  assert.is(upstreams.status('browser')?.pid, undefined);
});

test('has one process for each session, kept from call to call', async () => {
  const [first, second] = [await pid('one'), await pid('two')];

  assert.is.not(first, second);
  assert.equal([await pid('one'), await pid('two')], [first, second]);
  assert.is(upstreams.status('browser')?.state, 'connected');
});

test('refuses more sessions than its limit, and leaves the others alone', async () => {
  const first = await pid('one');

  const failure = await failureOf(call('browser', 'echo', {}, { sessionId: 'three' }));

  assert.is(failure.code, 'too_many_requests');
  assert.match(failure.message, 'already serves 2 sessions');
  assert.is(await pid('one'), first);
});

test('ends the process of a session with the session, which makes room for another', async () => {
  const second = await pid('two');

  assert.equal([...upstreams.activeSessions()].sort(), ['one', 'two']);
  upstreams.endSession('two');

  assert.equal(upstreams.activeSessions(), ['one']);
  await until(() => !isAlive(second));
  assert.ok((await pid('three')) > 0);
});

test('begins with a new process when that of a session died', async () => {
  const first = await pid('one');
  assert.match((await failureOf(call('browser', 'crash', {}, { sessionId: 'one' }))).message, 'code 7');

  assert.is.not(await pid('one'), first);
});

test('does not list its tools for each session', () => {
  assert.is(listings.length, 0);
});

test('lists again on restart, and ends all its processes', async () => {
  const first = await pid('one');

  const tools = await upstreams.restart('browser');

  assert.ok(tools.length > 0);
  assert.is(listings.length, 1);
  await until(() => !isAlive(first));
});

test.run();
