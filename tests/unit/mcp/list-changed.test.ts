import { mock } from 'node:test';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { endpoint, openReader, openSession, post, read, request } from '../../support/mcp-exchange.ts';
import { createStreamParts, someSession } from '../../support/stream-parts.ts';
import { type Leg, onBothLegs } from '../../support/two-legs.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('list_changed and the GET stream');
const listener = { session: someSession(), authorization: null, lastEventId: null };
const changed = 'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';

/** A session of the group with its list read and its stream open. */
async function listen(leg: Leg, path = endpoint) {
  const session = await openSession(leg.fetch, '2025-06-18', path);
  await post(leg.fetch, request(1, 'tools/list'), session, path);
  return { session, ...(await openStream(leg, session, path)) };
}

async function openStream(leg: Leg, session: Record<string, string>, path = endpoint) {
  const leaving = new AbortController();
  const headers = { ...session, Accept: 'text/event-stream' };
  const response = await leg.fetch(path, { headers, signal: leaving.signal });
  const reader = openReader(response);
  assert.is(await reader.next(), ': open');
  return { response, next: reader.next, leave: () => leaving.abort() };
}

onBothLegs(test, 'rule 28: GET opens an event stream, whose headers come at once', async (leg) => {
  const { response, leave } = await listen(leg);

  assert.is(response.status, 200);
  assert.is(response.headers.get('content-type'), 'text/event-stream');
  assert.is(response.headers.get('cache-control'), 'no-cache, no-transform');
  assert.is(response.headers.get('x-accel-buffering'), 'no');
  leave();
});

onBothLegs(test, 'rule 28: GET needs a live session', async (leg) => {
  const get = async (headers: Record<string, string>) =>
    await read(await leg.fetch(endpoint, { headers: { Accept: 'text/event-stream', ...headers } }));

  const without = await get({});
  const unknown = await get({ 'Mcp-Session-Id': 'unknown' });
  const version = await get({ ...(await openSession(leg.fetch)), 'MCP-Protocol-Version': '1999-01-01' });

  assert.equal([without.status, unknown.status, version.status], [400, 404, 400]);
  assert.is(unknown.body.error.code, -32001);
});

onBothLegs(test, 'rule 43: an edit of the group tells its sessions', async (leg) => {
  const { next, leave } = await listen(leg);

  leg.groups.write('svc-global', ['demo__echo']);

  assert.is(await next(), changed);
  leave();
});

onBothLegs(test, 'rule 43: tools that a server offers anew tell the groups that show them', async (leg) => {
  leg.groups.write('svc-global', { included_servers: ['demo'] });
  const { next, leave } = await listen(leg);

  leg.catalog.setTools('demo', ['echo', 'brand-new']);

  assert.is(await next(), changed);
  leave();
});

onBothLegs(
  test,
  'rule 43: a changed definition of a shown tool tells, a hidden one does not',
  async (leg) => {
    const { next, leave } = await listen(leg);
    const definition = (name: string, description: string) =>
      JSON.stringify({ name, description, inputSchema: { type: 'object' } });
    const listTools = (echo: string, hidden: string) =>
      leg.catalog.setTools('demo', [definition('echo', echo), 'add', definition('hidden', hidden)]);

    listTools('one', 'one');
    assert.is(await next(), changed);
    listTools('one', 'two');
    leg.bus.publish({ type: 'server', name: 'demo' });
    leg.streams.sendToGroup('svc-global', '{"marker":1}');

    assert.match(await next(), 'marker');
    leave();
  },
);

onBothLegs(test, 'rule 43: only sessions of groups whose visible set changed are told', async (leg) => {
  const own = await listen(leg);
  const other = await listen(leg, '/v0/groups/other/mcp');

  leg.groups.write('svc-global', ['demo__echo']);
  leg.groups.write('other', { included_tools: ['demo__add'], description: 'another text' });
  leg.streams.sendToGroup('other', '{"marker":1}');

  assert.is(await own.next(), changed);
  assert.match(await other.next(), 'marker');
  own.leave();
  other.leave();
});

onBothLegs(test, 'rule 43: agents hear when their deleted group is back', async (leg) => {
  const { next, leave } = await listen(leg);

  leg.groups.forget('svc-global');
  const gone = await next();
  leg.groups.write('svc-global', ['demo__echo']);
  const back = await next();

  assert.equal([gone, back], [changed, changed]);
  leave();
});

onBothLegs(test, 'rule 26: of several streams of a session one gets the message', async (leg) => {
  const { session, next, leave } = await listen(leg);
  const second = await openStream(leg, session);

  leg.groups.write('svc-global', ['demo__echo']);
  leg.bus.publish({ type: 'session_closed', name: session['Mcp-Session-Id'] });

  assert.equal([await second.next(), await second.next()], [changed, 'closed']);
  assert.is(await next(), 'closed');
  leave();
  second.leave();
});

onBothLegs(test, 'a message goes to the older stream when the newer one has left', async (leg) => {
  const { session, next, leave } = await listen(leg);
  const second = await openStream(leg, session);

  second.leave();
  await waitUntil('the stream is closed', () => leg.streams.count() === 1, { everyMs: 1 });
  leg.groups.write('svc-global', ['demo__echo']);

  assert.is(await next(), changed);
  leave();
});

onBothLegs(test, 'a client that leaves leaves nothing behind', async (leg) => {
  const { leave } = await listen(leg);
  assert.is(leg.streams.count(), 1);

  leave();

  await waitUntil('the stream is closed', () => leg.streams.count() === 0, { everyMs: 1 });
});

onBothLegs(test, 'HEAD opens no stream that nobody reads', async (leg) => {
  const session = await openSession(leg.fetch);

  const headers = { ...session, Accept: 'text/event-stream' };
  const response = await leg.fetch(endpoint, { method: 'HEAD', headers });

  assert.is(response.status, 200);
  assert.is(response.headers.get('content-type'), 'text/event-stream');
  assert.is(leg.streams.count(), 0);
});

test('a stream of a client that has left before it was opened is closed', async () => {
  const { streams } = createStreamParts();

  const body = await streams.open({ ...listener, signal: AbortSignal.abort() });

  assert.is(streams.count(), 0);
  assert.is(await new Response(body).text(), ': open\n\n');
});

test('rule 31: a silent stream says every 15 s that it is alive', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  try {
    const { streams } = createStreamParts();
    const response = new Response(await streams.open({ ...listener, signal: new AbortController().signal }));
    const { next } = openReader(response);
    await next();

    mock.timers.tick(15_000);
    const comment = await next();
    streams.closeAll();

    assert.is(comment, ': keep-alive');
    assert.is(await next(), 'closed');
    assert.is(streams.count(), 0);
  } finally {
    mock.timers.reset();
  }
});

test.run();
