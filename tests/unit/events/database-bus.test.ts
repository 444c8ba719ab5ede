/** The bus between processes over a database that the test can take away. */
import { mock } from 'node:test';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../lib/database/database.ts';
import { createDatabaseBus, type DatabaseBus } from '../../../lib/events/database-bus.ts';
import { databaseUnavailable } from '../../../lib/failure.ts';
import { createRecordingLog } from '../../support/recording-log.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('database bus');
const buses: DatabaseBus[] = [];

test.after.each(async () => {
  for (const bus of buses.splice(0)) await bus.close();
});

function openBus() {
  const sent: string[][] = [];
  const state = { isAway: false };
  let listeners = 0;
  let onPayload: (payload: string) => void = () => {};
  const hearing = { isBroken: () => {}, isBack: () => {} };
  const database: Pick<Database, 'query' | 'listen'> = {
    async query(_text, values) {
      if (state.isAway) throw databaseUnavailable();
      if (values !== undefined) sent.push(values[1] as string[]);
      return [];
    },
    async listen(_channel, receive, onGap, onBroken) {
      listeners += 1;
      onPayload = receive;
      Object.assign(hearing, { isBack: onGap, isBroken: onBroken });
      return async () => {};
    },
  };
  const { log, logged } = createRecordingLog();
  const bus = createDatabaseBus({ database, processId: 'me', log });
  buses.push(bus);
  return {
    bus,
    sent,
    state,
    logged,
    hearing,
    receive: (payload: string) => onPayload(payload),
    listeners: () => listeners,
  };
}

function names(batch: readonly string[] | undefined): string[] {
  return (batch ?? []).map((message) => JSON.parse(message).n);
}

test('what concerns this process alone does not travel', async () => {
  const { bus, sent } = openBus();

  bus.publish({ type: 'server', name: 'a' });
  bus.publish({ type: 'provision', name: 'a' });
  bus.publish({ type: 'tools', name: 'b' });
  await waitUntil('it is sent', () => sent.length === 1);

  assert.equal(names(sent[0]), ['b']);
});

test('what is published twice in one tick is sent once, in one statement with the rest', async () => {
  const { bus, sent } = openBus();

  bus.publish({ type: 'group', name: 'a' });
  bus.publish({ type: 'group', name: 'a' });
  bus.publish({ type: 'tools', name: 'a' });
  await waitUntil('it was sent', () => sent.length > 0);

  assert.equal(sent, [['{"p":"me","t":"group","n":"a"}', '{"p":"me","t":"tools","n":"a"}']]);
});

test('the state of a connection never leaves the process', async () => {
  const { bus, sent } = openBus();
  const heard: string[] = [];
  bus.subscribe(({ type }) => heard.push(type));

  bus.publish({ type: 'server', name: 's' });
  bus.publish({ type: 'tools', name: 's' });
  await waitUntil('it was sent', () => sent.length > 0);

  assert.equal(heard, ['server', 'tools']);
  assert.equal(sent, [['{"p":"me","t":"tools","n":"s"}']]);
});

test('news of other processes are heard as remote; its own echo and nonsense are not', async () => {
  const { bus, receive } = openBus();
  const heard: unknown[] = [];
  bus.subscribe((busMessage, origin) => heard.push([busMessage, origin]));
  await bus.start();

  receive('{"p":"me","t":"group","n":"own"}');
  receive('not json');
  receive('{"p":"you","t":"server","n":"private"}');
  receive('{"p":"you","t":"group"}');
  receive('null');
  receive('{"p":"you","t":"session_closed","n":"id"}');

  assert.equal(heard, [[{ type: 'session_closed', name: 'id' }, 'remote']]);
});

test('started a second time, after what came next at start failed, it still listens once', async () => {
  const { bus, listeners } = openBus();

  await bus.start();
  await bus.start();

  assert.is(listeners(), 1);
});

test('while the database is away subscribers still hear, and it is logged once', async () => {
  const { bus, state, logged } = openBus();
  const heard: string[] = [];
  bus.subscribe(({ name }) => heard.push(name));
  state.isAway = true;

  bus.publish({ type: 'group', name: 'a' });
  await waitUntil('it failed', () => logged.length > 0);
  bus.publish({ type: 'group', name: 'b' });
  await new Promise((resolve) => setTimeout(resolve, 1200));

  assert.equal(heard, ['a', 'b']);
  assert.is(logged.length, 1);
});

test('news that waited are sent when the database is back, each once', async () => {
  const { bus, sent, state, logged } = openBus();
  state.isAway = true;
  bus.publish({ type: 'group', name: 'a' });
  await waitUntil('it failed', () => logged.length > 0);
  bus.publish({ type: 'group', name: 'b' });
  bus.publish({ type: 'group', name: 'a' });

  state.isAway = false;
  await waitUntil('it was sent', () => sent.length > 0);

  assert.equal(names(sent[0]), ['b', 'a']);
  assert.is(sent.length, 1);
});

test('of more than a thousand waiting news the oldest are given up', async () => {
  const { bus, sent, state, logged } = openBus();
  state.isAway = true;
  for (let index = 0; index < 1500; index += 1) bus.publish({ type: 'group', name: `g${index}` });
  await waitUntil('it failed', () => logged.length > 0);

  state.isAway = false;
  await waitUntil('it was sent', () => sent.length > 0);

  assert.is(sent[0]?.length, 1000);
  assert.equal(names(sent[0]).slice(-1), ['g1499']);
});

test('closing sends what waits when the database takes it', async () => {
  const { bus, sent, state, logged } = openBus();
  state.isAway = true;
  bus.publish({ type: 'group', name: 'a' });
  await waitUntil('it failed', () => logged.length > 0);
  state.isAway = false;

  await bus.close();

  assert.equal(names(sent[0]), ['a']);
});

test('closing ends at once when the database is still away', async () => {
  const { bus, state, logged } = openBus();
  state.isAway = true;
  bus.publish({ type: 'group', name: 'a' });
  await waitUntil('it failed', () => logged.length > 0);

  const startedAt = performance.now();
  await bus.close();

  assert.ok(performance.now() - startedAt < 500);
});

test('while nothing can be heard everybody looks for himself, unless the database is away too', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  const { bus, state, hearing } = openBus();
  let looks = 0;
  bus.onGap(() => {
    looks += 1;
  });
  const looksAfter = async (milliseconds: number) => {
    mock.timers.tick(milliseconds);
    await new Promise((resolve) => setImmediate(resolve));
    return looks;
  };
  try {
    await bus.start();
    assert.is(await looksAfter(10_000), 0);

    hearing.isBroken();
    assert.is(await looksAfter(2_000), 1);
    assert.is(await looksAfter(2_000), 2);
    state.isAway = true;
    assert.is(await looksAfter(2_000), 2);
    state.isAway = false;
    hearing.isBack();

    assert.is(await looksAfter(10_000), 3, 'once when it is back, and not again');
  } finally {
    mock.timers.reset();
  }
});

test('news with too long a name stay here, and take no others along', async () => {
  const { bus, sent, logged } = openBus();
  const heard: string[] = [];
  bus.subscribe(({ type }) => heard.push(type));

  bus.publish({ type: 'resource_updated', name: `server file:///${'ü'.repeat(4000)}` });
  bus.publish({ type: 'group', name: 'a' });
  await waitUntil('it was sent', () => sent.length > 0);

  assert.equal(heard, ['resource_updated', 'group']);
  assert.equal(names(sent[0]), ['a']);
  assert.is(logged.length, 1);
});

test.run();
