/** Calls that were given up before the server heard of them: while they waited for their turn, or for its start. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultLimits, defaultTimeouts } from '../../../lib/config/server-config.ts';
import { createUpstreamFixture, failureOf, faultConfig } from '../../support/upstream-fixture.ts';

const test = suite('calls given up before they were sent');
setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const given = 2_000;
const bytes = 100_000;
const limits = { ...defaultLimits, calls: 1, queue: 2 };

/** Gives up `given` calls of 100 KB, a few at a time; which of their params are still there afterwards. */
async function giveUp(server: string, atOnce: number, fixture: ReturnType<typeof createUpstreamFixture>) {
  const params: WeakRef<object>[] = [];

  async function one(at: number): Promise<string> {
    const controller = new AbortController();
    const held = { text: String(at).padEnd(bytes, 'x') };
    params.push(new WeakRef(held));
    const call = fixture.upstreams.request({
      ...{ server, sessionId: 'one', method: 'tools/call', signal: controller.signal },
      params: () => JSON.stringify({ name: 'echo', arguments: held }),
    });
    const failure = failureOf(call);
    // It has come as far as it gets before it is given up.
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error('given up'));
    return (await failure).message;
  }

  const reasons = new Set<string>();
  for (let at = 0; at < given; at += atOnce) {
    const batch = Array.from({ length: atOnce }, (_, offset) => one(at + offset));
    for (const reason of await Promise.all(batch)) reasons.add(reason);
  }
  return { reasons: [...reasons], kept: () => params.filter((ref) => ref.deref() !== undefined).length };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    collect();
  }
}

test('in the queue, their places and their arguments are free at once', async () => {
  const fixture = createUpstreamFixture();
  fixture.upstreams.install(faultConfig('slow', [], { limits }));
  const stop = new AbortController();
  const slow = failureOf(fixture.call('slow', 'hang', {}, { signal: stop.signal }));
  await fixture.upstreams.connect('slow');
  await settled();
  const before = process.memoryUsage().heapUsed;

  const { reasons, kept } = await giveUp('slow', limits.queue, fixture);
  await settled();

  assert.equal(reasons, ['given up']);
  assert.is(kept(), 0);
  assert.ok(process.memoryUsage().heapUsed - before < (given * bytes) / 20);
  stop.abort(new Error('over'));
  await slow;
  assert.is(await fixture.callText('slow', 'echo', { message: 'still served' }), 'still served');
  await fixture.close();
});

test('while the server starts, their arguments are free at once, and so is whoever waits', async () => {
  const fixture = createUpstreamFixture();
  const timeouts = { ...defaultTimeouts, startMs: 600_000 };
  fixture.upstreams.install(faultConfig('starting', ['--on-start', 'hang'], { limits, timeouts }));

  const { reasons, kept } = await giveUp('starting', 100, fixture);
  await settled();

  assert.equal(reasons, ['given up']);
  assert.is(kept(), 0);
  await fixture.close();
});

test.run();
