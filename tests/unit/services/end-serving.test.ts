/** The order in which a service ends: what still works at each step. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClosingStack } from '../../../lib/async/closing-stack.ts';
import type { Failure } from '../../../lib/failure.ts';
import { silentLog } from '../../../lib/log.ts';
import { type EndServingOptions, endServing } from '../../../lib/services/end-serving.ts';
import { createRealServices } from '../../support/real-services.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('the end of a service');

interface Scripted {
  readonly underWay?: () => number;
  readonly endAll?: (failure: Failure) => void;
  /** Fails these. */
  readonly failing?: readonly string[];
  /** It was ready once. */
  readonly isStarted?: boolean;
}

/** Services that record what is called of them, above a database that closes after them. */
function createFixture(scripted: Scripted = {}) {
  const { underWay = () => 0, endAll = () => {}, failing = [], isStarted = true } = scripted;
  const called: string[] = [];
  const problems: string[] = [];
  const closing = createClosingStack((step, problem) => problems.push(`${step}: ${problem}`));
  const record = (name: string) => () => {
    called.push(name);
    if (failing.includes(name)) throw new Error('broken');
  };
  const recordAsync = (name: string) => async () => record(name)();
  const options: Omit<EndServingOptions, 'drainSeconds' | 'shutdownSeconds'> = {
    services: {
      calls: {
        count: underWay,
        refuse: record('calls.refuse'),
        endAll(failure) {
          record('calls.endAll')();
          endAll(failure);
        },
      },
      readiness: { isStarted: () => isStarted, stop: record('readiness.stop') },
      stopReaping: record('stopReaping'),
      host: { end: record('host.end') },
      registry: { end: record('registry.end') },
      relayProcesses: { end: recordAsync('relayProcesses.end') },
      clientRequests: { close: record('clientRequests.close') },
      eventLog: { flush: recordAsync('eventLog.flush') },
      upstreams: { close: recordAsync('upstreams.close') },
      answerStreams: { close: recordAsync('answerStreams.close') },
      streams: {
        sendElsewhere: record('streams.sendElsewhere'),
        closeAll: record('streams.closeAll'),
      },
    },
    listeners: {
      leave: record('listeners.leave'),
      refuse: record('listeners.refuse'),
      close: recordAsync('listeners.close'),
      underWay: () => 0,
    },
    endLeftChildren: recordAsync('children'),
    log: silentLog,
  };
  return {
    called,
    problems,
    end(shutdownSeconds = 600, drainSeconds = 0): Promise<void> {
      closing.add('database', record('database.close'));
      endServing(closing, { ...options, drainSeconds, shutdownSeconds });
      return closing.closeAll();
    },
  };
}

test('readiness turns first, ports close after the servers, the database is closed last', async () => {
  const { called, problems, end } = createFixture();

  await end();

  assert.equal(problems, []);
  assert.equal(called, [
    ...['readiness.stop', 'listeners.leave', 'stopReaping', 'host.end', 'registry.end', 'relayProcesses.end'],
    ...['listeners.refuse', 'calls.refuse', 'calls.endAll', 'clientRequests.close', 'eventLog.flush'],
    ...['upstreams.close', 'children', 'answerStreams.close', 'streams.closeAll', 'eventLog.flush'],
    ...['listeners.close', 'database.close'],
  ]);
});

test('with DRAIN_SECONDS everything is served for so long though idle, and streams are sent elsewhere halfway', async () => {
  const { called, problems, end } = createFixture();
  const begun = performance.now();
  const ended = end(600, 1);
  const atOnce = [...called];
  await waitUntil('streams are sent elsewhere', () => called.includes('streams.sendElsewhere'));
  const halfwayMs = performance.now() - begun;
  const halfway = [...called];
  await waitUntil('it begins nothing any more', () => called.includes('host.end'));
  const drainedMs = performance.now() - begun;
  await ended;

  assert.equal(atOnce, ['readiness.stop', 'listeners.leave']);
  assert.equal(halfway, [...atOnce, 'streams.sendElsewhere']);
  assert.ok(halfwayMs > 490 && drainedMs > 990, `${halfwayMs} ms, ${drainedMs} ms`);
  assert.equal(problems, []);
  assert.is(called.at(-1), 'database.close');
});

test('a process that was never ready does not drain: no balancer has sent anybody', async () => {
  const { called, end } = createFixture({ isStarted: false });

  await end(600, 600);

  assert.not.ok(called.includes('streams.sendElsewhere'));
  assert.is(called.at(-1), 'database.close');
});

test('what the factories opened is closed from the connections down to the database', async () => {
  const real = await createRealServices();

  assert.equal(await real.close(), []);
  assert.equal([...real.added].reverse(), [
    ...[
      'reaping',
      'resource updates',
      'calls of servers',
      'views',
      'registry',
      'calls to other processes',
      'containers',
      'sessions',
    ],
    ...['approvals', 'groups', 'features', 'secrets', 'bus', 'database'],
  ]);
});

test('that nothing is under way in this moment does not end the time of those who ask often', async () => {
  const { called, end } = createFixture();
  const ended = end();
  await new Promise((resolve) => setTimeout(resolve, 60));

  const before = [...called];
  await ended;

  assert.ok(before.includes('listeners.leave'));
  assert.not.ok(before.includes('listeners.refuse'));
});

test('while calls are under way nothing is refused, until they are done', async () => {
  let calls = 3;
  let looks = 0;
  const underWay = () => {
    looks += 1;
    return calls;
  };
  const { called, end } = createFixture({ underWay });
  const ended = end();
  await waitUntil('it has looked at them again and again', () => looks > 3);

  const before = [...called];
  calls = 0;
  await ended;

  assert.ok(before.includes('readiness.stop') && before.includes('listeners.leave'));
  assert.not.ok(before.includes('listeners.refuse'));
  assert.ok(called.includes('listeners.refuse'));
});

test('when their time is over the calls that are left are answered, in words that promise nothing', async () => {
  const failures: Failure[] = [];
  const { end } = createFixture({ underWay: () => 1, endAll: (failure) => failures.push(failure) });

  await end(0);

  assert.equal(
    failures.map(({ code, message }) => [code, message]),
    [['upstream_unavailable', 'The gateway is restarting; the call may or may not have run.']],
  );
});

test('a service that fails to close keeps no other open', async () => {
  const { called, problems, end } = createFixture({ failing: ['upstreams.close', 'listeners.close'] });

  await end();

  assert.equal(problems, ['servers: broken', 'ports: broken']);
  assert.is(called.at(-1), 'database.close');
});

test.run();
