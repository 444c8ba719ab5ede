import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { failureObject } from '../../../lib/json-rpc/write.ts';
import { closeServer, listenOnPort, listenOnSocket } from '../../../lib/server/listeners/node-listen.ts';
import { createNodeListener } from '../../../lib/server/listeners/node-listener.ts';
import { both, endpoint, openReader, openSession, post, request } from '../../support/mcp-exchange.ts';
import { onNodeLeg, usualGuard } from '../../support/two-legs.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('listener');

test('at the end GET streams end without a fault, and a call under way is answered', async () => {
  await onNodeLeg(async (leg) => {
    const session = await openSession(leg.fetch);
    const headers = { ...session, Accept: 'text/event-stream' };
    const reader = openReader(await leg.fetch(endpoint, { headers }));
    await reader.next();
    let finish = () => {};
    leg.upstreams.answerWith((call) => {
      call.progress({ progress: 1 });
      return new Promise((resolve) => {
        finish = () => resolve({ result: '{"content":[]}' });
      });
    });
    const params = { name: 'demo__echo', _meta: { progressToken: 1 } };
    const call = post(leg.fetch, request(1, 'tools/call', params), { ...session, ...both });
    await waitUntil('the call is under way', () => leg.upstreams.calls.length === 1, { everyMs: 1 });

    const closed = closeServer(leg.listener.server);
    leg.listener.endEventStreams();
    const end = await reader.next();
    finish();

    assert.is(end, 'closed');
    assert.is((await call).body.length, 2);
    await closed;
    assert.is(leg.streams.count(), 0);
  });
});

test('header, request and rest between two have their times', () => {
  const { server } = createNodeListener({
    handle: async () => new Response('ok'),
    guard: usualGuard(),
    refusalBody: failureObject,
  });

  assert.equal(
    [server.headersTimeout, server.requestTimeout, server.keepAliveTimeout],
    [10_000, 30_000, 75_000],
  );
});

test('an answer that is owed is under way, and an open event stream is not', async () => {
  await onNodeLeg(async (leg) => {
    const session = await openSession(leg.fetch);
    await waitUntil('nothing is under way', () => leg.listener.underWay() === 0, { everyMs: 1 });
    const reader = openReader(
      await leg.fetch(endpoint, { headers: { ...session, Accept: 'text/event-stream' } }),
    );
    await reader.next();
    let finish = () => {};
    leg.upstreams.answerWith(
      () => new Promise((resolve) => (finish = () => resolve({ result: '{"content":[]}' }))),
    );

    const call = post(leg.fetch, request(1, 'tools/call', { name: 'demo__echo' }), session);
    await waitUntil('the call is under way', () => leg.upstreams.calls.length === 1, { everyMs: 1 });

    assert.is(leg.listener.underWay(), 1);
    leg.listener.leave();
    finish();
    assert.is((await call).headers.get('connection'), 'keep-alive', 'it was begun before');
    await waitUntil('nothing is under way', () => leg.listener.underWay() === 0, { everyMs: 1 });
    const late = await post(leg.fetch, request(2, 'ping'), session);
    assert.is(late.headers.get('connection'), 'close');
  });
});

test('a stream that ends after it was decided to leave ends its connection', async () => {
  await onNodeLeg(async (leg) => {
    const session = await openSession(leg.fetch);
    const reader = openReader(
      await leg.fetch(endpoint, { headers: { ...session, Accept: 'text/event-stream' } }),
    );
    await reader.next();
    const countConnections = () =>
      new Promise<number>((resolve) => leg.listener.server.getConnections((_, count) => resolve(count)));
    const before = await countConnections();

    leg.listener.leave();
    leg.streams.sendElsewhere();

    assert.is(await reader.next(), 'closed');
    const isLeft = async () => (await countConnections()) === before - 1;
    await waitUntil('its connection is ended', isLeft, { everyMs: 1 });
  });
});

test('a refused peer gets no answer, and others go on', async () => {
  let isRefused = true;
  const listener = createNodeListener({
    handle: async () => new Response('ok'),
    guard: usualGuard(),
    refusalBody: failureObject,
    isRefusedPeer: (address) => isRefused && address === '127.0.0.1',
  });
  const url = await listenOnPort(listener.server, '127.0.0.1', 0, 'GATEWAY_PORT');

  const refused = await fetch(url).then(
    () => 'answered',
    () => 'ended',
  );
  isRefused = false;
  const heard = await fetch(url);
  await heard.text();
  await closeServer(listener.server);

  assert.is(refused, 'ended');
  assert.is(heard.status, 200);
});

test('an idle connection that its client keeps open does not hold up the end', async () => {
  const listener = createNodeListener({
    handle: async () => new Response('ok'),
    guard: usualGuard(),
    refusalBody: failureObject,
  });
  const url = await listenOnPort(listener.server, '127.0.0.1', 0, 'GATEWAY_PORT');
  const response = fetch(url);

  const closed = response.then(() => closeServer(listener.server));
  await (await response).text();
  const startedAt = performance.now();
  await closed;

  assert.ok(performance.now() - startedAt < 1_000);
});

test('a connection on which nothing was asked does not hold up the end', async () => {
  const listener = createNodeListener({
    handle: async () => new Response('ok'),
    guard: usualGuard(),
    refusalBody: failureObject,
  });
  const url = new URL(await listenOnPort(listener.server, '127.0.0.1', 0, 'GATEWAY_PORT'));
  const accepted = new Promise((resolve) => listener.server.once('connection', resolve));
  const client = createConnection(Number(url.port), url.hostname);
  await accepted;

  const startedAt = performance.now();
  const closed = closeServer(listener.server);
  listener.endUnusedConnections();
  await closed;

  assert.ok(performance.now() - startedAt < 1000);
  client.destroy();
});

test('port 0 picks a free port and says which', async () => {
  const server = createServer((_request, response) => response.end('here'));

  const url = await listenOnPort(server, '127.0.0.1', 0, 'GATEWAY_PORT');

  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.is(await (await fetch(url)).text(), 'here');
  await closeServer(server);
});

test('a wildcard address is shown as one to visit', async () => {
  const server = createServer();

  const url = await listenOnPort(server, '0.0.0.0', 0, 'GATEWAY_PORT');

  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
  await closeServer(server);
});

test('a taken port is refused with the setting’s name', async () => {
  const first = createServer();
  const port = Number(new URL(await listenOnPort(first, '127.0.0.1', 0, 'GATEWAY_PORT')).port);

  const refusal = await messageOf(listenOnPort(createServer(), '127.0.0.1', port, 'GATEWAY_PORT'));

  assert.is(refusal, `GATEWAY_PORT: port ${port} on 127.0.0.1 is taken (EADDRINUSE); choose another one.`);
  await closeServer(first);
});

test('an address that is not ours is refused with the setting’s name', async () => {
  const refusal = await messageOf(listenOnPort(createServer(), '192.0.2.1', 0, 'MANAGER_PORT'));

  assert.match(refusal, /^MANAGER_PORT: cannot listen on 192\.0\.2\.1:0 \(EADDRNOTAVAIL\)/);
});

test('a connection that cannot be accepted does not end the process', async () => {
  const server = createServer();
  await listenOnPort(server, '127.0.0.1', 0, 'GATEWAY_PORT');

  assert.is(server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' })), true);
  await closeServer(server);
});

test('the admin socket is its owner’s alone, and replaces a stale one', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'svc-socket-'));
  const path = join(directory, 'admin.sock');
  const stale = createServer();
  await listenOnSocket(stale, path);
  const server = createServer();

  await listenOnSocket(server, path);

  assert.is(statSync(path).mode & 0o777, 0o600);
  const socket = createConnection(path);
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  socket.destroy();
  await Promise.all([closeServer(stale), closeServer(server)]);
  await rm(directory, { recursive: true });
});

test('a socket path that some systems would cut is refused and named', async () => {
  const refusal = await messageOf(listenOnSocket(createServer(), `/tmp/${'x'.repeat(100)}/admin.sock`));

  assert.match(refusal, /^DATA_DIR: its path is too long/);
});

async function messageOf(promise: Promise<unknown>): Promise<string> {
  return await promise.then(
    () => 'it was accepted',
    (error) => error.message,
  );
}

test.run();
