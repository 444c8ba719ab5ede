import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultLimits, defaultTimeouts } from '../../../lib/config/server-config.ts';
import {
  createUpstreamFixture,
  failureOf,
  faultConfig,
  isAlive,
  killAndWait,
  startHttpFaultServer,
  until,
} from '../../support/upstream-fixture.ts';

const test = suite('supervised connections');

const fixture = createUpstreamFixture();
const { upstreams, listings, call, callText } = fixture;
test.after(() => fixture.close());

const listingsOf = (name: string) => listings.filter(({ server }) => server === name);
const pidOf = (name: string) => upstreams.status(name)?.pid ?? 0;

test('nothing is started before the first call, and concurrent first calls share one start', async () => {
  upstreams.install(faultConfig('lazy'));
  assert.is(upstreams.status('lazy')?.state, 'idle');
  assert.is(pidOf('lazy'), 0);

  const pids = await Promise.all(Array.from({ length: 10 }, () => callText('lazy', 'pid')));

  assert.equal(new Set(pids), new Set([String(pidOf('lazy'))]));
  assert.is(upstreams.status('lazy')?.state, 'connected');
  assert.is(listingsOf('lazy').length, 1);
});

test('tools come from all pages, each definition as it was written', async () => {
  const candidate = await upstreams.prepare(faultConfig('pages', ['--pages', '7', '--tools', '50']));
  const whole = await upstreams.prepare(faultConfig('whole', ['--tools', '50']));

  assert.equal(candidate.tools, whole.tools);
  assert.equal(candidate.tools[0], {
    name: 'echo',
    definition: '{"name":"echo","inputSchema":{"type":"object"}}',
  });
  await Promise.all([candidate.discard(), whole.discard()]);
});

test('endless pages and repeated cursors end the start', async () => {
  const endless = await failureOf(upstreams.prepare(faultConfig('endless', ['--on-start', 'endless_pages'])));
  const repeated = await failureOf(
    upstreams.prepare(faultConfig('again', ['--on-start', 'repeated_cursor'])),
  );

  assert.match(endless.message, 'its list of tools has over 200 pages');
  assert.match(repeated.message, 'its list of tools repeats a cursor');
});

test('tools without a name, or with one that is taken, are left out', async () => {
  const candidate = await upstreams.prepare(faultConfig('bad', ['--on-start', 'bad_tools']));

  assert.is(candidate.tools.filter(({ name }) => name === 'echo').length, 1);
  assert.not.match(candidate.tools[0]?.definition ?? '', 'second');
  assert.ok(candidate.tools.every(({ name }) => typeof name === 'string'));
  await candidate.discard();
});

test('a server without the tools capability has an empty list', async () => {
  const candidate = await upstreams.prepare(faultConfig('toolless', ['--on-start', 'no_tools']));

  assert.equal(candidate.tools, []);
  await candidate.discard();
});

test('list_changed lists the tools again, once for a burst', async () => {
  upstreams.install(faultConfig('changing'));
  await callText('changing', 'echo');
  const before = listingsOf('changing').length;

  await callText('changing', 'list_changed', { times: 20 });
  await until(() => listingsOf('changing').length > before);
  // Longer than two listings are kept apart.
  await pause(700);

  assert.ok(
    listingsOf('changing')
      .at(-1)
      ?.tools.some(({ name }) => name === 'new_0'),
  );
  assert.is(listingsOf('changing').length, before + 1);
});

test('after kill -9 the next call succeeds by itself within a second', async () => {
  for (let round = 0; round < 3; round++) {
    const before = Number(await callText('lazy', 'pid'));
    process.kill(before, 'SIGKILL');
    await until(() => !isAlive(before));
    const started = performance.now();

    await until(() => pidOf('lazy') !== before);
    assert.is.not(Number(await callText('lazy', 'pid')), before);
    assert.ok(performance.now() - started < 1000);
  }
});

test('a server that was killed comes back without any call, and is listed again', async () => {
  const before = pidOf('lazy');
  const listed = listingsOf('lazy').length;

  process.kill(before, 'SIGKILL');

  await until(() => pidOf('lazy') !== 0 && pidOf('lazy') !== before);
  assert.is(listingsOf('lazy').length, listed + 1);
});

test('calls of a server that does not start fail at once, until it may be tried again', async () => {
  upstreams.install(faultConfig('broken', ['--on-start', 'crash']));
  const first = await failureOf(call('broken', 'echo'));

  // Sooner than anything that waits for a process, a timer or a socket.
  const second = await Promise.race([failureOf(call('broken', 'echo')), nextTurn()]);

  assert.is(second?.message, first.message);
  assert.is(upstreams.status('broken')?.state, 'failed');
  assert.is(upstreams.status('broken')?.lastError, first.message);
  await upstreams.remove('broken');
});

test('calls beyond the limit wait for their turn, and beyond the queue they are refused', async () => {
  const limits = { ...defaultLimits, calls: 2, queue: 3 };
  upstreams.install(faultConfig('narrow', [], { limits }));
  await callText('narrow', 'echo');

  const started = performance.now();
  const calls = Array.from({ length: 6 }, () => call('narrow', 'slow', { ms: 100 }));
  const outcomes = await Promise.allSettled(calls);

  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.is(refused.length, 1);
  assert.is(refused[0]?.reason.code, 'too_many_requests');
  assert.is(refused[0]?.reason.headers['Retry-After'], '1');
  assert.ok(performance.now() - started >= 290);
});

test('one slow server does not slow another', async () => {
  const over = new AbortController();
  let settled = 0;
  const slow = Array.from({ length: 5 }, async () => {
    await failureOf(call('narrow', 'hang', {}, { signal: over.signal }));
    settled++;
  });

  for (let n = 0; n < 20; n++) await callText('lazy', 'echo');

  assert.is(settled, 0);
  over.abort(new Error('the test is over'));
  await Promise.all(slow);
});

test('a cancelled call rejects with the reason of its signal, and the server is told', async () => {
  const journal = join(tmpdir(), `fault-journal-${process.pid}`);
  upstreams.install(faultConfig('cancelling', ['--journal', journal]));
  await callText('cancelling', 'echo');
  const controller = new AbortController();

  const hanging = failureOf(call('cancelling', 'hang', {}, { signal: controller.signal }));
  controller.abort(new Error('never mind'));

  assert.is((await hanging).message, 'never mind');
  await callText('cancelling', 'echo');
  const messages = readFileSync(journal, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  rmSync(journal);
  const hang = messages.find(({ params }) => params?.name === 'hang');
  const cancelled = messages.find(({ method }) => method === 'notifications/cancelled');
  assert.is(cancelled.params.requestId, hang.id);
  assert.is(cancelled.id, undefined);
});

test('a call that was cancelled before it began is never sent', async () => {
  const failure = await failureOf(
    call('lazy', 'crash', {}, { signal: AbortSignal.abort(new Error('too late')) }),
  );

  assert.is(failure.message, 'too late');
  assert.is(await callText('lazy', 'echo', { message: 'alive' }), 'alive');
});

test('a restart ends the process, fails what is under way and lists the tools of the new one', async () => {
  const before = pidOf('lazy');
  const hanging = failureOf(call('lazy', 'hang'));
  await until(() => upstreams.status('lazy')?.callsInFlight === 1);

  const tools = await upstreams.restart('lazy');

  assert.match((await hanging).message, 'it is being restarted');
  assert.ok(tools.some(({ name }) => name === 'echo'));
  assert.not(isAlive(before));
  assert.is.not(pidOf('lazy'), before);
});

test('a replaced server finishes its calls while the new one serves', async () => {
  upstreams.install(faultConfig('swapped'));
  const old = Number(await callText('swapped', 'pid'));
  const slow = callText('swapped', 'slow', { ms: 300 });

  const candidate = await upstreams.prepare(faultConfig('swapped', ['--tools', '1']));
  await candidate.commit();
  const fresh = Number(await callText('swapped', 'pid'));

  assert.is.not(fresh, old);
  assert.is(await slow, 'slow');
  await until(() => !isAlive(old));
  assert.ok(isAlive(fresh));
});

test('a candidate that is discarded leaves no process and no trace', async () => {
  const candidate = await upstreams.prepare(faultConfig('passing'));

  await candidate.discard();

  assert.is(upstreams.status('passing'), undefined);
  assert.is(listingsOf('passing').length, 0);
  assert.equal(upstreams.logs('passing', 10), []);
});

test('a removed server fails its calls and is unknown from then on', async () => {
  upstreams.install(faultConfig('leaving'));
  const pid = Number(await callText('leaving', 'pid'));
  const hanging = failureOf(call('leaving', 'hang'));

  await upstreams.remove('leaving');

  assert.match((await hanging).message, 'it was removed');
  assert.is((await failureOf(call('leaving', 'echo'))).code, 'server_not_found');
  assert.not(isAlive(pid));
});

test('an idle server is stopped, and started again by the next call', async () => {
  const timeouts = { ...defaultTimeouts, idleStopSeconds: 0.3 };
  upstreams.install(faultConfig('sleepy', [], { timeouts }));
  const pid = Number(await callText('sleepy', 'pid'));
  await callText('sleepy', 'slow', { ms: 600 });
  assert.is(pidOf('sleepy'), pid);

  await until(() => upstreams.status('sleepy')?.state === 'idle');
  await until(() => !isAlive(pid));

  assert.is.not(Number(await callText('sleepy', 'pid')), pid);
});

test('an HTTP server that came back answers the next call, with a new session', async () => {
  const first = await startHttpFaultServer();
  const config = faultConfig('returning', [], {
    transport: 'streamable_http',
    url: `http://127.0.0.1:${first.port}/mcp`,
  });
  upstreams.install(config);
  const before = await callText('returning', 'pid');
  await first.kill();
  assert.is((await failureOf(call('returning', 'echo'))).code, 'upstream_unavailable');

  const second = await startHttpFaultServer([], first.port);
  const started = performance.now();
  let after = '';
  while (after === '') after = await callText('returning', 'pid').catch(() => '');

  assert.is.not(after, before);
  assert.ok(performance.now() - started < 5000);
  await upstreams.remove('returning');
  await killAndWait(second.process);
});

test.run();
