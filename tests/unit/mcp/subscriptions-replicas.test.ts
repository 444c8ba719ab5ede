import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BusMessage } from '../../../lib/events/bus.ts';
import { encodeBusMessage, travels } from '../../../lib/events/database-bus.ts';
import { databaseUnavailable, Failure } from '../../../lib/failure.ts';
import { createResourceUpdates, type ReceivedUpdate } from '../../../lib/mcp/updates/resource-updates.ts';
import type { SessionSubscriptions } from '../../../lib/sessions/session-subscriptions.ts';
import { createLinkedBuses } from '../../support/linked-buses.ts';
import { createMemorySubscriptions } from '../../support/memory-subscriptions.ts';
import { createScriptedUpstreams } from '../../support/scripted-upstreams.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('subscriptions over several processes');

/** Two processes on one database, of which each has a connection to the server. */
function createReplicas(
  subscriptions: SessionSubscriptions = createMemorySubscriptions(),
  mayHave = (_group: string) => true,
) {
  return createLinkedBuses().map((bus) => {
    const sent: string[] = [];
    const upstreams = createScriptedUpstreams();
    upstreams.answerWith(() => ({ result: '{}' }));
    const updates = createResourceUpdates({
      subscriptions,
      upstreams,
      bus,
      visibleUri: (_group, { uri }) => uri,
      send: (sessionId, message) => sent.push(`${sessionId} ${JSON.parse(message).params.uri}`),
      mayHave,
    });
    const asked = () => upstreams.calls.map(({ method, params }) => `${method} ${JSON.parse(params).uri}`);
    return { bus, sent, updates, upstreams, asked };
  });
}

function heard(uri: string, more: Partial<ReceivedUpdate> = {}): ReceivedUpdate {
  const text = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } });
  return { server: 'demo', text, onlyTo: undefined, isForAll: false, ...more };
}

const session = { id: 's', group: 'g' };
const subscription = { server: 'demo', uri: 'r://1' };

test('the process that has the stream subscribes itself to what another one took', async () => {
  const [a, b] = createReplicas();
  b?.updates.opened(session);

  await a?.updates.added(session, subscription);
  await waitUntil('b is subscribed', () => b?.asked().length === 1);
  b?.updates.receive(heard('r://1'));
  await a?.updates.removed(session, subscription);
  await waitUntil('b is unsubscribed', () => b?.asked().length === 2);
  b?.updates.receive(heard('r://1'));

  assert.equal(b?.asked(), ['resources/subscribe r://1', 'resources/unsubscribe r://1']);
  assert.equal(b?.sent, ['s r://1']);
});

test('a stream that opens later, elsewhere, finds its subscriptions, once', async () => {
  const [a, b] = createReplicas();
  await a?.updates.added(session, subscription);

  b?.updates.opened(session);
  b?.updates.opened(session);
  await waitUntil('b is subscribed', () => b?.asked().length === 1);
  await new Promise((resolve) => setTimeout(resolve, 20));

  assert.equal(b?.asked(), ['resources/subscribe r://1']);
});

test('what only one process can hear reaches the streams of all', async () => {
  const [a, b] = createReplicas();
  b?.updates.opened(session);
  await a?.updates.added(session, subscription);
  await waitUntil('b is subscribed', () => b?.asked().length === 1);

  a?.updates.receive(heard('r://1', { isForAll: true }));
  a?.updates.receive(heard('r://1/a part', { isForAll: true, onlyTo: 'another' }));
  a?.updates.receive(heard('r://1/a part', { isForAll: true, onlyTo: 's' }));
  a?.updates.receive(heard(`r://1/${'x'.repeat(5_000)}`, { isForAll: true }));
  await waitUntil('b has told', () => b?.sent.length === 2);

  assert.equal(b?.sent, ['s r://1', 's r://1/a part']);
});

test('the longest URI that can be subscribed to fits into news', async () => {
  const [a, b] = createReplicas();
  const uri = 'r://'.padEnd(2_048, '"');
  b?.updates.opened(session);
  await a?.updates.added(session, { server: 'demo', uri });
  await waitUntil('b is subscribed', () => b?.asked().length === 1);
  const busMessages: BusMessage[] = [];
  a?.bus.subscribe((one) => busMessages.push(one));

  a?.updates.receive(heard(uri, { isForAll: true, onlyTo: 's' }));
  await waitUntil('b has told', () => b?.sent.length === 1);

  const [told] = busMessages;
  assert.ok(told && travels(told) && encodeBusMessage(randomUUID(), told).length < 7_000);
});

test('a server that was down is subscribed to when its connection is another', async () => {
  const [a, b] = createReplicas();
  b?.upstreams.answerWith(() => {
    throw new Error('down');
  });
  await a?.updates.added(session, subscription);
  // Its news have come by then.
  await new Promise((resolve) => setTimeout(resolve, 5));
  b?.updates.opened(session);
  await waitUntil('b has tried', () => b?.asked().length === 1);
  b?.upstreams.answerWith(() => ({ result: '{}' }));

  b?.bus.publish({ type: 'server', name: 'demo' });
  await waitUntil('b has tried again', () => b?.asked().length === 2);
  await new Promise((resolve) => setTimeout(resolve, 20));
  b?.updates.receive(heard('r://1'));

  assert.equal(b?.sent, ['s r://1']);
});

test('a session that ended is forgotten', async () => {
  const [a] = createReplicas();
  await a?.updates.added(session, subscription);

  a?.bus.publish({ type: 'session_closed', name: 's' });
  a?.updates.receive(heard('r://1'));

  assert.equal(a?.sent, []);
});

test('after a gap in the news the rows of all sessions are read at once, where there may be some', async () => {
  const stored = createMemorySubscriptions();
  const reads: (readonly string[])[] = [];
  const read: SessionSubscriptions['read'] = (ids) => {
    reads.push(ids);
    return stored.read(ids);
  };
  const [, b] = createReplicas({ ...stored, read }, (group) => group === 'g');
  for (const id of ['s1', 's2', 's3']) b?.updates.opened({ id, group: 'g' });
  b?.updates.opened({ id: 'other', group: 'without' });
  await new Promise((resolve) => setTimeout(resolve, 5));
  await stored.add('s2', subscription);
  reads.splice(0);

  b?.bus.reportGap();
  b?.bus.reportGap();
  await waitUntil('b is subscribed', () => b?.asked().length === 1);

  assert.equal(reads, [['s1', 's2', 's3']]);
});

test('a session that ends while it is looked after leaves nothing behind', async () => {
  const [a, b] = createReplicas();
  await a?.updates.added(session, subscription);
  await a?.updates.added(session, { server: 'demo', uri: 'r://2' });
  await new Promise((resolve) => setTimeout(resolve, 5));
  let agree = () => {};
  b?.upstreams.answerWith(
    () =>
      new Promise((resolve) => {
        agree = () => resolve({ result: '{}' });
      }),
  );
  b?.updates.opened(session);
  await waitUntil('b asks', () => b?.asked().length === 1);

  b?.bus.publish({ type: 'session_closed', name: 's' });
  agree();
  await waitUntil('b has taken it back', () => b?.upstreams.endedSessions.length === 1);
  b?.updates.receive(heard('r://1'));

  assert.equal([b?.asked(), b?.sent, b?.updates.sessions()], [['resources/subscribe r://1'], [], []]);
});

test('what could not be stored is taken back from the server, unless it was served before', async () => {
  const stored = createMemorySubscriptions();
  let isAway = false;
  const add: SessionSubscriptions['add'] = (...asked) =>
    isAway ? Promise.reject(databaseUnavailable()) : stored.add(...asked);
  const [a] = createReplicas({ ...stored, add });
  await a?.updates.added(session, subscription);
  isAway = true;

  for (const uri of ['r://1', 'r://2']) {
    const code = await a?.updates.added(session, { server: 'demo', uri }).catch((error) => error.code);
    assert.is(code, 'database_unavailable');
  }

  assert.equal(a?.asked(), ['resources/unsubscribe r://2']);
});

test('who subscribes in a session that ended elsewhere ends it here too', async () => {
  const add = () => Promise.reject(new Failure('session_not_found', 'gone'));
  const [a] = createReplicas({ ...createMemorySubscriptions(), add });
  const closed: string[] = [];
  a?.bus.subscribe(({ type, name }) => type === 'session_closed' && closed.push(name));

  const code = await a?.updates.added(session, subscription).catch((error) => error.code);

  assert.equal([code, closed, a?.updates.sessions()], ['session_not_found', ['s'], []]);
});

test.run();
