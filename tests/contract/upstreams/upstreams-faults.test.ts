import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultLimits, defaultTimeouts } from '../../../lib/config/server-config.ts';
import {
  createUpstreamFixture,
  failureOf,
  faultConfig,
  serverConfig,
  textOf,
} from '../../support/upstream-fixture.ts';

const test = suite('a child process that misbehaves');

const fixture = createUpstreamFixture();
const { upstreams, call, callText } = fixture;
const short = { ...defaultTimeouts, callMs: 300 };

upstreams.install(faultConfig('fault'));
upstreams.install(faultConfig('quick', [], { timeouts: short }));
test.after(() => fixture.close());

test('answers come back as the server wrote them, big integers and all', async () => {
  const answer = await call('fault', 'big_numbers');

  assert.equal(answer, { result: '{"n":12345678901234567890,"future":{"a":1.0,"a":2}}' });
});

test('an error answer keeps its code and data', async () => {
  const answer = await call('fault', 'rpc_error');

  assert.equal(answer, { error: '{"code":-32602,"message":"no","data":{"n":12345678901234567890}}' });
});

test('params with newlines reach the server as one message', async () => {
  const pretty = JSON.stringify({ name: 'echo', arguments: { message: 'a\nb' } }, null, 2);

  const answer = await call('fault', 'echo', {}, { params: () => pretty.replaceAll('\n', '\r\n') });

  assert.is(textOf(answer), 'a\nb');
});

test('a megabyte goes there and back', async () => {
  const message = 'é'.repeat(500_000);

  assert.is(await callText('fault', 'echo', { message }), message);
});

test('garbage between messages is passed over', async () => {
  assert.is(await callText('fault', 'garbage'), 'after garbage');
});

test('only the first of two answers counts', async () => {
  assert.is(await callText('fault', 'twice'), 'first');
  assert.is(await callText('fault', 'echo', { message: 'next' }), 'next');
});

test('answers to ids that nobody asked with are dropped', async () => {
  assert.is(await callText('fault', 'wrong_id'), 'right');
});

test('an answer inside a batch is found', async () => {
  assert.equal(await call('fault', 'batch'), { result: '{"content":[]}' });
});

test('an answer without result and error fails the call', async () => {
  const failure = await failureOf(call('fault', 'neither'));

  assert.is(failure.code, 'upstream_unavailable');
  assert.match(failure.message, 'neither a result nor an error');
});

/** Undefined when it takes longer, by a timer that a busy machine makes as late as the one that is waited for. */
const within = <Result>(ms: number, work: Promise<Result>) =>
  Promise.race([work, pause(ms, undefined, { ref: false })]);

test('a hung call fails at its time-out with the name of the server', async () => {
  await callText('quick', 'echo');

  const failure = await within(700, failureOf(call('quick', 'hang')));

  assert.is(failure?.code, 'upstream_timeout');
  assert.is(failure?.message, 'The server "quick" did not answer within 300 ms.');
});

test('an answer after the time-out disturbs nobody', async () => {
  const late = failureOf(call('quick', 'late', { ms: 450 }));
  assert.is((await late).code, 'upstream_timeout');

  const [next] = await Promise.all([
    callText('quick', 'slow', { ms: 200 }),
    callText('quick', 'echo', { message: 'meanwhile' }),
  ]);

  assert.is(next, 'slow');
});

test('progress keeps a call alive beyond its time-out', async () => {
  const seen: unknown[] = [];

  const answer = await callText(
    'quick',
    'slow_progress',
    { steps: 5, ms: 120 },
    {
      onProgress: (message) => seen.push(JSON.parse(message).params.progress),
    },
  );

  assert.is(answer, 'done');
  assert.equal(seen, [1, 2, 3, 4, 5]);
});

test('progress does not keep a call alive beyond its cap', async () => {
  const timeouts = { ...short, callCapMs: 500 };
  upstreams.install(faultConfig('capped', [], { timeouts }));

  const failure = await failureOf(call('capped', 'slow_progress', { steps: 20, ms: 100 }));

  assert.is(failure.message, 'The server "capped" did not answer within 500 ms.');
});

test('a crash fails the call under way at once, names the server, and is healed by itself', async () => {
  const before = await callText('fault', 'pid');
  const started = performance.now();

  const failure = await failureOf(call('fault', 'crash'));

  assert.is(failure.code, 'upstream_unavailable');
  assert.is(failure.message, 'The server "fault" is unavailable: its process ended with code 7.');
  assert.ok(performance.now() - started < 1000);
  assert.is.not(await callText('fault', 'pid'), before);
  assert.ok(performance.now() - started < 2000);
});

test('the last lines before a crash go to the log, not to the caller', () => {
  const crash = fixture.logged.find(({ message }) => message.includes('code 7'));

  const { server, stderr = [] } = (crash?.fields ?? {}) as { server?: string; stderr?: string[] };
  assert.equal([server, stderr.at(-1)], ['fault', 'about to crash']);
  assert.ok(
    stderr.slice(0, -1).every((line) => line.startsWith('[stdout] ')),
    stderr.join(),
  );
  assert.ok(upstreams.logs('fault', 10).includes('about to crash'));
});

test('a line over the limit ends the process and says why', async () => {
  upstreams.install(faultConfig('wide', [], { limits: { ...defaultLimits, lineBytes: 100_000 } }));
  assert.is((await callText('wide', 'huge_line', { bytes: 90_000 })).length, 90_000);

  const failure = await failureOf(call('wide', 'huge_line', { bytes: 200_000 }));

  assert.match(failure.message, 'it sent a line of more than 100000 bytes');
  assert.is(await callText('wide', 'echo', { message: 'back' }), 'back');
});

test('a flood of nonsense ends the process', async () => {
  const failure = await failureOf(call('fault', 'flood'));

  assert.match(failure.message, 'what it writes is no MCP');
});

test('a program that repeats what it is sent is told from a server at once', async () => {
  const started = performance.now();

  const failure = await failureOf(upstreams.prepare(serverConfig({ name: 'cat', command: '/bin/cat' })));

  assert.is(failure.code, 'upstream_unavailable');
  assert.match(failure.message, '"cat" is unavailable: it repeats what it is sent');
  assert.ok(performance.now() - started < 1000);
});

test('a program that floods its output is told from a server at once', async () => {
  const started = performance.now();

  const failure = await failureOf(upstreams.prepare(serverConfig({ name: 'yes', command: '/usr/bin/yes' })));

  assert.match(failure.message, 'what it writes is no MCP');
  assert.ok(performance.now() - started < 1000);
});

test('a command that does not exist is said to be so', async () => {
  const failure = await failureOf(
    upstreams.prepare(serverConfig({ name: 'none', command: 'no-such-program' })),
  );

  assert.is(failure.message, 'The server "none" is unavailable: its command was not found.');
});

test('a working directory that does not exist is said to be so', async () => {
  const failure = await failureOf(upstreams.prepare(faultConfig('lost', [], { cwd: '/no/such/folder' })));

  assert.is(failure.message, 'The server "lost" is unavailable: its working directory does not exist.');
});

test('arguments that no program can be given are a failure like any other', async () => {
  const failure = await failureOf(upstreams.prepare(faultConfig('zero', ['a\0b'])));

  assert.match(failure.message, 'its command or arguments cannot be used');
});

test('a server that hangs at its start fails within start_ms', async () => {
  const timeouts = { ...defaultTimeouts, startMs: 400 };
  const config = faultConfig('mute', ['--on-start', 'hang'], { timeouts });

  const failure = await within(2_000, failureOf(upstreams.prepare(config)));

  assert.is(failure?.code, 'upstream_timeout');
  assert.is(
    failure?.message,
    'The server "mute" did not list its tools within 400 ms of its start. If it only needs longer, raise `timeouts.start_ms` (400).',
  );
});

test('a server that dies at its start fails at once', async () => {
  const failure = await failureOf(upstreams.prepare(faultConfig('dead', ['--on-start', 'crash'])));

  assert.match(failure.message, 'its process ended with code 3');
});

test('a server that refuses the handshake, or speaks another protocol, is not taken', async () => {
  const refused = await failureOf(upstreams.prepare(faultConfig('no', ['--on-start', 'refuse'])));
  const foreign = await failureOf(upstreams.prepare(faultConfig('old', ['--protocol', '1999-01-01'])));

  assert.match(refused.message, 'it refused to be initialized');
  assert.match(foreign.message, 'it speaks version 1999-01-01 of MCP, and this gateway speaks 2024-10-07 to');
});

test('an older known version is accepted', async () => {
  const candidate = await upstreams.prepare(faultConfig('older', ['--protocol', '2024-11-05']));

  assert.ok(candidate.tools.length > 0);
  await candidate.discard();
});

test('a banner on standard output does not keep a server out, and is in its log', async () => {
  const candidate = await upstreams.prepare(faultConfig('banner', ['--on-start', 'banner']));

  assert.ok(candidate.tools.length > 0);
  assert.match(upstreams.logs('banner', 1)[0] ?? '', /^\[stdout\] "?Welcome to the fault server!/);
  await candidate.discard();
});

test.run();
