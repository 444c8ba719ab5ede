import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CancelSignal } from '../../../lib/async/cancellation.ts';
import { defaultTimeouts } from '../../../lib/config/server-config.ts';
import type { LogLevel } from '../../../lib/json-rpc/log-level.ts';
import type { RawAnswer } from '../../../lib/json-rpc/server-messages.ts';
import type { ClientChannel } from '../../../lib/upstreams/upstreams.ts';
import {
  createUpstreamFixture,
  faultConfig,
  serverConfig,
  startHttpFaultServer,
  textOf,
  until,
} from '../../support/upstream-fixture.ts';

const test = suite('a server that asks something of us');

const fixture = createUpstreamFixture();
const { upstreams, call, callText, notificationFeed } = fixture;
const http = await startHttpFaultServer(['--sse', 'yes']);
const unlimited = { ...defaultTimeouts, callMs: 150, callCapMs: 5_000 };
const question = { method: 'elicitation/create', params: { message: 'Which one?' } };

test.before(() => {
  upstreams.install(faultConfig('asking'));
  upstreams.install(faultConfig('patient', [], { timeouts: unlimited }));
  const url = `http://127.0.0.1:${http.port}/mcp`;
  upstreams.install(serverConfig({ name: 'web', transport: 'streamable_http', url }));
});
test.after(async () => {
  await fixture.close();
  await http.kill();
});

interface Asked {
  readonly method: string;
  readonly params: Record<string, unknown>;
  readonly signal: CancelSignal;
}

/** A client that answers every question with its own name, once `until` resolves. */
function client(name: string, wait: Promise<unknown> = Promise.resolve()) {
  const asked: Asked[] = [];
  const told: unknown[] = [];
  const clientChannel: ClientChannel = {
    canAnswer: true,
    logLevel: undefined,
    hangUp() {},
    notify: (message) => void told.push(JSON.parse(message)),
    async ask(method, params, signal): Promise<RawAnswer> {
      asked.push({ method, params: JSON.parse(params), signal });
      await wait;
      return { result: `{"from":"${name}","n":1.0}` };
    },
  };
  return { asked, told, more: { sessionId: name, clientChannel } };
}

async function answerTo(method: string): Promise<{ result?: unknown; error?: { code: number } }> {
  return JSON.parse(await callText('asking', 'ask', { method }));
}

test('is answered when it pings, also inside a call', async () => {
  assert.equal((await answerTo('ping')).result, {});
});

test('is refused sampling, elicitation, roots and unknown methods when the client cannot be asked', async () => {
  for (const method of ['sampling/createMessage', 'elicitation/create', 'roots/list', 'no/such']) {
    assert.is((await answerTo(method)).error?.code, -32601, method);
  }
});

test('that asks for roots before it is known whose it is starts all the same', async () => {
  const early = faultConfig('early', ['--on-start', 'ask_roots']);

  const candidate = await upstreams.prepare(early);

  assert.ok(candidate.tools.length > 0);
  await candidate.discard();
});

test('reaches the client whose call it works on, and gets its answer as it is', async () => {
  const ann = client('ann');
  const params = { messages: [], maxTokens: 1 };

  const answer = await callText('asking', 'ask', { method: 'sampling/createMessage', params }, ann.more);

  assert.equal(JSON.parse(answer).result, { from: 'ann', n: 1 });
  assert.is(ann.asked[0]?.method, 'sampling/createMessage');
  assert.equal(ann.asked[0]?.params, { ...params, _meta: { 'svc-mcp/server': 'asking' } });
});

test('is named to the person it asks', async () => {
  const ann = client('ann');

  await callText('asking', 'ask', question, ann.more);

  assert.is(ann.asked[0]?.params.message, '[asking] Which one?');
});

test('may wait for a person longer than for a server, up to the cap of the call', async () => {
  const ann = client('ann', new Promise((resolve) => setTimeout(resolve, 700)));

  const answer = await callText('patient', 'ask', question, ann.more);

  assert.is(JSON.parse(answer).result.from, 'ann');
});

test('has its own time again after the answer', async () => {
  const ann = client('ann');
  const asking = callText('patient', 'ask', question, ann.more);
  await asking;

  const startedAt = performance.now();
  const hanging = await call('patient', 'hang', {}, ann.more).catch((error: { code: string }) => error);

  assert.is((hanging as { code?: string }).code, 'upstream_timeout');
  assert.ok(performance.now() - startedAt < 1_500);
});

test('over HTTP asks the client on whose stream it asks, whoever else is calling', async () => {
  const [ann, bob] = [client('ann'), client('bob')];
  const slow = call('web', 'slow', { ms: 300 }, bob.more);

  const answer = await callText('web', 'ask', question, ann.more);

  assert.is(JSON.parse(answer).result.from, 'ann');
  assert.is(bob.asked.length, 0);
  await slow;
});

test('is refused once when nobody can tell whose call it is, and then served apart', async () => {
  upstreams.install(faultConfig('shared', ['--on-start', 'no_logging']));
  const [ann, bob] = [client('ann'), client('bob')];
  const pidBefore = await callText('shared', 'pid', {}, ann.more);
  const slow = call('shared', 'slow', { ms: 250 }, bob.more);

  const first = JSON.parse(await callText('shared', 'ask', question, ann.more));
  const second = JSON.parse(await callText('shared', 'ask', question, ann.more));

  assert.is(first.error.code, -32601);
  assert.is(second.result.from, 'ann');
  assert.is(bob.asked.length, 0);
  assert.is(textOf(await slow), 'slow');
  const pids = [
    pidBefore,
    await callText('shared', 'pid', {}, ann.more),
    await callText('shared', 'pid', {}, bob.more),
  ];
  assert.is(new Set(pids).size, 3);
});

test('shares its process on among sessions that cannot be asked, whatever it asked before', async () => {
  upstreams.install(faultConfig('mixed'));
  const mute = (sessionId: string) => ({ sessionId });
  await callText('mixed', 'ask', question, mute('one'));
  const slow = call('mixed', 'slow', { ms: 150 }, mute('one'));

  const pids = [
    await callText('mixed', 'pid', {}, mute('two')),
    await callText('mixed', 'pid', {}, mute('one')),
  ];

  assert.is(pids[0], pids[1]);
  await slow;
});

test('may take its question back: the client hears of it, and no answer follows', async () => {
  const ann = client('ann', new Promise((resolve) => setTimeout(resolve, 120)));

  await callText('asking', 'ask_and_cancel', question, ann.more);

  assert.is(ann.asked[0]?.signal.aborted, true);
});

test('may be answered after another call of the same client ended, and waits in all of them', async () => {
  const ann = client('ann', new Promise((resolve) => setTimeout(resolve, 700)));
  const [working, asking] = [
    callText('patient', 'late', { ms: 500 }, ann.more),
    callText('patient', 'ask', question, ann.more),
  ];
  const latest = callText('patient', 'slow', { ms: 30 }, ann.more);

  assert.is(await latest, 'slow');
  assert.is(await working, 'late');
  assert.is(JSON.parse(await asking).result.from, 'ann');
  assert.is(ann.asked[0]?.signal.aborted, false);
});

test('whose call ended leaves no question open', async () => {
  const ann = client('ann', new Promise(() => {}));

  await callText('asking', 'ask_and_leave', question, ann.more);

  await until(() => ann.asked[0]?.signal.aborted === true);
});

test('logs to the client whose call it works on, with its name before the logger', async () => {
  const ann = client('ann');
  const entries = [
    { level: 'info', logger: 'disk', data: { free: 1 } },
    { level: 'error', data: 'full' },
  ];

  await callText('asking', 'log', { entries }, ann.more);

  assert.equal(
    ann.told.map((message) => (message as { params: unknown }).params),
    [
      { level: 'info', logger: 'asking/disk', data: { free: 1 } },
      { level: 'error', data: 'full', logger: 'asking' },
    ],
  );
});

test('logs outside of any call to the session that alone uses its connection', async () => {
  upstreams.install(faultConfig('lone'));
  const params = { level: 'warning', data: 'late' };

  await callText('lone', 'tell', { method: 'notifications/message', params }, client('ann').more);

  await until(() => notificationFeed.length > 0);
  const [told] = notificationFeed.splice(0);
  assert.is(told?.sessionId, 'ann');
  assert.equal(JSON.parse(told?.text ?? '').params, { ...params, logger: 'lone' });
});

test('that sent a client elsewhere tells this client alone when it is done there', async () => {
  const ann = client('ann');
  const params = { mode: 'url', elicitationId: 'e1', url: 'https://a.test', message: 'Sign in' };
  await callText('asking', 'ask', { method: 'elicitation/create', params }, ann.more);

  const done = { method: 'notifications/elicitation/complete' };
  await callText('asking', 'tell', { ...done, params: { elicitationId: 'never asked' } }, ann.more);
  await callText('asking', 'tell', { ...done, params: { elicitationId: 'e1' } }, ann.more);

  await until(() => notificationFeed.length > 0);
  assert.equal(
    notificationFeed.splice(0).map(({ method, sessionId }) => [method, sessionId]),
    [['notifications/elicitation/complete', 'ann']],
  );
});

test('is as verbose as the session that wants most, and no less than usual', async () => {
  upstreams.install(faultConfig('chatty'));
  const level = (sessionId: string, logLevel?: LogLevel) => {
    const clientChannel = { ...client(sessionId).more.clientChannel, canAnswer: false, logLevel };
    return callText('chatty', 'level', {}, { sessionId, clientChannel });
  };

  assert.is(await level('ann'), 'none');
  assert.is(await level('ann', 'error'), 'info');
  assert.is(await level('bob', 'debug'), 'debug');
  assert.is(await level('ann', 'error'), 'debug');
  upstreams.endSession('bob');
  assert.is(await level('ann', 'warning'), 'info');
});

test('is told the level again when it was started anew', async () => {
  upstreams.setLogLevel('chatty', 'ann', 'debug');

  await upstreams.restart('chatty');

  assert.is(await callText('chatty', 'level'), 'debug');
});

test.run();
