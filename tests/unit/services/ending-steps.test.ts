/** The order in which a service ends: what still works at each step. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Failure } from '../../../lib/failure.ts';
import { silentLog } from '../../../lib/log.ts';
import { runSteps } from '../../../lib/server/shutdown/run-steps.ts';
import { type EndingOptions, endingSteps } from '../../../lib/services/ending-steps.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('the steps of a service’s end');

/** Parts that note what is called of them, by name; `answers` stand for what some of them return. */
function recording(answers: Readonly<Record<string, (argument: unknown) => unknown>> = {}) {
  const called: string[] = [];
  const note = (name: string) =>
    new Proxy(() => {}, {
      apply: (_target, _self, [argument]) => {
        called.push(name);
        return answers[name]?.(argument);
      },
    });
  const part = (name: string) =>
    new Proxy({}, { get: (_target, member) => note(`${name}.${String(member)}`) });
  const services = new Proxy({ reaping: undefined }, { get: (_target, name) => part(String(name)) });
  return {
    called,
    services: services as unknown as EndingOptions['services'],
    listeners: part('doors') as EndingOptions['listeners'],
  };
}

const idle = { 'calls.count': () => 0, 'doors.underWay': () => 0 };

async function end(fixture: ReturnType<typeof recording>, shutdownSeconds = 600): Promise<string[]> {
  const problems: string[] = [];
  const { services, listeners } = fixture;
  const endLeftChildren = async () => void fixture.called.push('children');
  await runSteps(
    endingSteps({ services, listeners, shutdownSeconds, endLeftChildren, log: silentLog }),
    (step, problem) => problems.push(`${step}: ${problem}`),
  );
  return problems;
}

test('readiness turns first, ports close after the servers, the database is closed last', async () => {
  const fixture = recording(idle);

  assert.equal(await end(fixture), []);

  const order = [
    'readiness.stop',
    'doors.refuse',
    'calls.endAll',
    'upstreams.close',
    'children',
    'streams.closeAll',
  ];
  const last = ['doors.close', 'host.close', 'sessions.close', 'bus.close', 'database.close'];
  const seen = fixture.called.filter((name) => [...order, ...last].includes(name));
  assert.equal(seen, [...order, ...last]);
  assert.is(fixture.called.at(-1), 'database.close');
});

test('that nothing is under way in this moment does not end the time of those who ask often', async () => {
  const fixture = recording(idle);
  const ended = end(fixture);
  await new Promise((resolve) => setTimeout(resolve, 60));

  const before = [...fixture.called];
  await ended;

  assert.ok(before.includes('doors.leave'));
  assert.not.ok(before.includes('doors.refuse'));
});

test('while calls are under way nothing is refused, until they are done', async () => {
  let calls = 3;
  let looks = 0;
  const count = () => {
    looks += 1;
    return calls;
  };
  const fixture = recording({ ...idle, 'calls.count': count });
  const ended = end(fixture);
  await waitUntil('it has looked at them again and again', () => looks > 3);

  const before = [...fixture.called];
  calls = 0;
  await ended;

  assert.ok(before.includes('readiness.stop') && before.includes('doors.leave'));
  assert.not.ok(before.includes('doors.refuse'));
  assert.ok(fixture.called.includes('doors.refuse'));
});

test('when their time is over the rest is told, in words that promise nothing', async () => {
  let told: unknown;
  const fixture = recording({
    ...idle,
    'calls.count': () => 1,
    'calls.endAll': (failure) => {
      told = failure;
    },
  });

  await end(fixture, 0);

  const { code, message } = told as Failure;
  assert.is(code, 'upstream_unavailable');
  assert.is(message, 'The gateway is restarting; the call may or may not have run.');
});

test('a part that fails to close keeps no other open', async () => {
  const fail = () => {
    throw new Error('broken');
  };
  const fixture = recording({ ...idle, 'upstreams.close': fail, 'doors.close': fail });

  assert.equal(await end(fixture), ['servers: broken', 'ports: broken']);
  assert.is(fixture.called.at(-1), 'database.close');
});

test.run();
