import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createNotificationDelivery } from '../../../lib/mcp/updates/notification-delivery.ts';
import { createGatewayFixture, type GatewayFixture } from '../../support/gateway-fixture.ts';
import { both, endpoint, messagesIn, openSession, post, request } from '../../support/mcp-exchange.ts';
import { someSession } from '../../support/stream-parts.ts';

const test = suite('what servers tell outside of any call');
let fixture: GatewayFixture;
let fetch: (path: string, init?: RequestInit) => Promise<Response>;

test.before.each(() => {
  fixture = createGatewayFixture();
  fetch = (path, init) => fixture.handle(new Request(`http://127.0.0.1:3700${path}`, init));
});
test.after.each(() => fixture.streams.closeAll());

async function listener(level?: string, path = endpoint) {
  const session = await openSession(fetch, '2025-06-18', path);
  if (level !== undefined) await post(fetch, request(1, 'logging/setLevel', { level }), session, path);
  const response = await fetch(path, { headers: { ...both, ...session } });
  return { id: session['Mcp-Session-Id'], heard: heardOn(response) };
}

/** Everything that the stream brought, once it is closed. */
function heardOn(response: Response): () => Promise<unknown[]> {
  const text = response.text();
  return async () => {
    fixture.streams.closeAll();
    return messagesIn(await text);
  };
}

function log(level: string, sessionId: string | undefined, server = 'demo'): void {
  const params = `{"level":"${level}","logger":"${server}","data":1}`;
  const text = `{"jsonrpc":"2.0","method":"notifications/message","params":${params}}`;
  fixture.notificationFeed.publish(server, { method: 'notifications/message', text }, sessionId);
}

test('rule 44: logs go to a session that set a level, from that level on', async () => {
  const [strict, open, silent] = [await listener('error'), await listener('debug'), await listener()];

  for (const { id } of [strict, open, silent]) for (const level of ['debug', 'error']) log(level, id);

  assert.is((await strict.heard()).length, 1);
  assert.is((await open.heard()).length, 2);
  assert.equal(await silent.heard(), []);
});

test('rule 44: logs do not reach a group that does not show the server', async () => {
  const outside = await listener('debug', '/v0/groups/empty/mcp');
  const inside = await listener('debug', '/v0/groups/other/mcp');

  for (const { id } of [outside, inside]) log('error', id);

  assert.equal(await outside.heard(), []);
  assert.is((await inside.heard()).length, 1);
});

test('rule 44: what is of one session reaches it alone, and what may be of any reaches none', async () => {
  const [own, other] = [await listener('debug'), await listener('debug')];

  log('error', own.id);
  log('error', undefined);

  assert.equal(await other.heard(), []);
  assert.is((await own.heard()).length, 1);
});

test('rule 50: that an elicitation is done reaches only the client that was sent there', async () => {
  const [asked, other] = [await listener(), await listener()];
  const method = 'notifications/elicitation/complete';
  const text = `{"jsonrpc":"2.0","method":"${method}","params":{"elicitationId":"with spaces 1"}}`;

  fixture.notificationFeed.publish('demo', { method, text }, asked.id);

  assert.equal(await other.heard(), []);
  assert.equal(await asked.heard(), [{ jsonrpc: '2.0', method, params: { elicitationId: 'with spaces 1' } }]);
});

test('rule 50: an elicitation id too long to travel is dropped', async () => {
  const asked = await listener();
  const method = 'notifications/elicitation/complete';
  const text = `{"method":"${method}","params":{"elicitationId":"${'x'.repeat(2_000)}"}}`;

  fixture.notificationFeed.publish('demo', { method, text }, asked.id);

  assert.equal(await asked.heard(), []);
});

test('a session that ended is not looked at any more', async () => {
  const { bus, context, sessions, streams } = fixture;
  const looked: string[] = [];
  const has = (id: string) => looked.push(id) > 0;
  const { views, upstreams } = context.endpoint;
  const messages = createNotificationDelivery({
    streams: { ...streams, has },
    sessions,
    views,
    upstreams,
    bus,
  });
  for (const id of ['ended', 'alive']) messages.onListener({ ...someSession(), id });

  bus.publish({ type: 'session_closed', name: 'ended' });
  bus.publish({ type: 'tools', name: 'demo' });

  assert.equal(looked, ['alive']);
});

test.run();
