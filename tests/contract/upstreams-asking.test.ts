import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createUpstreamFixture, faultConfig } from '../support/upstream-fixture.ts';

const test = suite('a server that asks something of us');

const fixture = createUpstreamFixture();
const { upstreams, callText } = fixture;
upstreams.install(faultConfig('asking'));
test.after(() => fixture.close());

async function answerTo(method: string): Promise<{ result?: unknown; error?: { code: number } }> {
  return JSON.parse(await callText('asking', 'ask', { method }));
}

test('is answered when it pings, also inside a call', async () => {
  assert.equal((await answerTo('ping')).result, {});
});

test('is refused sampling, elicitation, roots and unknown methods inside a call', async () => {
  for (const method of ['sampling/createMessage', 'elicitation/create', 'roots/list', 'no/such']) {
    assert.is((await answerTo(method)).error?.code, -32601, method);
  }
});

test('gets an empty list of roots outside of any call', async () => {
  const early = faultConfig('early', ['--on-start', 'ask_roots']);

  const candidate = await upstreams.prepare(early);

  assert.ok(candidate.tools.length > 0);
  await candidate.discard();
});

test.run();
