import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createNetworkCheck, peerOf } from '../../../lib/http/node-peers.ts';
import { failureObject } from '../../../lib/json-rpc/write.ts';
import { createConnectionLimits } from '../../../lib/server/listeners/node-connection-limits.ts';
import { closeServer, listenOnPort } from '../../../lib/server/listeners/node-listen.ts';
import { createNodeListener } from '../../../lib/server/listeners/node-listener.ts';
import { createStalledReaders } from '../../../lib/server/listeners/node-stalled-readers.ts';
import { isNetwork } from '../../../lib/text/network-syntax.ts';
import { usualGuard } from '../../support/two-legs.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('limits of connections');

/** More than the system takes for a reader who does not read. */
const largeBytes = 64 * 1024 * 1024;

/** A client that never closes by itself, whatever it is told. */
interface Stubborn {
  readonly socket: Socket;
  text(): string;
  isOver(): boolean;
}

async function stubborn(port: number, bytes = ''): Promise<Stubborn> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let [text, isOver] = ['', false];
  socket.on('data', (chunk) => {
    text += chunk;
  });
  // What it writes after the other side is gone tells it so.
  socket.on('end', () => {
    isOver = true;
  });
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  if (bytes !== '') socket.write(bytes);
  return { socket, text: () => text, isOver: () => isOver };
}

interface Seen {
  readonly server: Server;
  /** Connections that are open. */
  count(): Promise<number>;
  /** Requests so far. */
  requests(): number;
  /** Answers all that are at work on `/slow`. */
  finish(): void;
}

async function withListener(
  limits: {
    readonly most?: number;
    readonly mostPerPeer?: number;
    readonly proxies?: readonly string[];
    readonly readerMs?: number;
  },
  run: (port: number, seen: Seen) => Promise<void>,
): Promise<void> {
  const { most = 1000, mostPerPeer = 1000, proxies = [], readerMs = 30_000 } = limits;
  const isExempt = createNetworkCheck(proxies);
  const { admit } = createConnectionLimits({ most, mostPerPeer, isExempt, now: () => performance.now() });
  let finish = () => {};
  const listener = createNodeListener({
    handle: async ({ url }) => {
      if (url.endsWith('/large')) return new Response('x'.repeat(largeBytes));
      if (!url.endsWith('/slow')) return new Response('ok');
      return new Promise((resolve) => {
        const before = finish;
        finish = () => {
          before();
          resolve(new Response('done'));
        };
      });
    },
    guard: usualGuard(),
    refusalBody: failureObject,
    admit,
    readerMs,
  });
  const { server } = listener;
  const url = await listenOnPort(server, '127.0.0.1', 0, 'GATEWAY_PORT');
  let requests = 0;
  server.on('request', () => {
    requests += 1;
  });
  const count = () =>
    new Promise<number>((resolve) => server.getConnections((_, connections) => resolve(connections)));
  try {
    await run(Number(new URL(url).port), { server, count, requests: () => requests, finish: () => finish() });
  } finally {
    const closed = closeServer(server);
    server.closeAllConnections();
    await closed;
  }
}

const get = (path = '/') => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;

test('a client that does not close after a refusal of the parser loses its connection', async () => {
  await withListener({}, async (port, { count }) => {
    const client = await stubborn(port, 'HELLO\r\n\r\n');
    await waitUntil('it was told', () => client.text().includes('400 Bad Request'));

    await waitUntil('its descriptor is free', async () => (await count()) === 0);
    client.socket.destroy();
  });
});

test('who sends nothing, half a header, or no body after a refusal, loses the connection in time', async () => {
  await withListener({}, async (port, { server, count }) => {
    Object.assign(server, { headersTimeout: 300, requestTimeout: 600 });
    const foreign = 'POST / HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 5\r\n\r\n';
    const clients = await Promise.all(['', 'GET / HTT', foreign].map((text) => stubborn(port, text)));

    await waitUntil('their descriptors are free', async () => (await count()) === 0);

    const told = clients.map(({ text }) => /^HTTP\/1\.1 (\d+)/.exec(text())?.[1]);
    assert.equal(told, ['408', '408', '403']);
    for (const { socket } of clients) socket.destroy();
  });
});

test('connections that never asked make room for others of their peer, the oldest first', async () => {
  await withListener({ mostPerPeer: 3 }, async (port, { count }) => {
    const silent = await stubborn(port);
    const half = await stubborn(port, 'GET / HTT');
    const third = await stubborn(port);

    const answer = await fetch(`http://127.0.0.1:${port}/`);
    await answer.text();

    assert.is(answer.status, 200);
    await waitUntil('the oldest is ended', () => silent.isOver() || silent.socket.closed);
    assert.not(half.isOver());
    assert.not(third.isOver());
    assert.is(await count(), 3);
    for (const { socket } of [silent, half, third]) socket.destroy();
  });
});

test('a body that never comes makes room before a connection that is kept alive', async () => {
  await withListener({ mostPerPeer: 2 }, async (port, { requests }) => {
    const kept = await stubborn(port, get());
    await waitUntil('it is answered', () => kept.text().includes('ok'));
    const owing = await stubborn(port, 'POST /slow HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n\r\n');
    await waitUntil('it was heard', () => requests() === 2);
    const another = await stubborn(port, get());

    await waitUntil('there is room', () => another.text().includes('ok'));
    await waitUntil('the one that owes is ended', () => owing.isOver() || owing.socket.closed);
    assert.not(kept.isOver());
    for (const { socket } of [kept, owing, another]) socket.destroy();
  });
});

test('who is at work is never ended: one too many of a peer is told 429, and goes', async () => {
  await withListener({ mostPerPeer: 2 }, async (port, { count, requests, finish }) => {
    const workers = [await stubborn(port, get('/slow')), await stubborn(port, get('/slow'))];
    await waitUntil('both are heard', () => requests() === 2);

    const refused = await stubborn(port);
    await waitUntil('it was told', () => refused.text().includes('\r\n\r\n{'));

    assert.match(refused.text(), /^HTTP\/1\.1 429 Too Many Requests\r\n/);
    assert.match(refused.text(), /\r\nRetry-After: \d+\r\n/);
    assert.match(refused.text(), /MAX_CONNECTIONS_PER_PEER/);
    assert.is(await count(), 2);
    finish();
    for (const worker of workers) await waitUntil('it is answered', () => worker.text().includes('done'));
    for (const { socket } of [...workers, refused]) socket.destroy();
  });
});

test('one too many in all is told 503; trusted proxies are bound by nothing else', async () => {
  const limits = { most: 3, mostPerPeer: 1, proxies: ['10.0.0.1', '127.0.0.0/8'] };
  await withListener(limits, async (port, { count, requests, finish }) => {
    const workers = await Promise.all([1, 2, 3].map(() => stubborn(port, get('/slow'))));
    await waitUntil('all are heard', () => requests() === 3);

    const refused = await stubborn(port);
    await waitUntil('it was told', () => refused.text().includes('\r\n\r\n{'));

    assert.match(refused.text(), /^HTTP\/1\.1 503 Service Unavailable\r\n/);
    assert.is(await count(), 3);
    finish();
    for (const { socket } of [...workers, refused]) socket.destroy();
  });
});

test('a client that does not read its answer loses its connection', async () => {
  await withListener({ readerMs: 600 }, async (port, { count, requests }) => {
    const idle = await stubborn(port, get('/large'));
    idle.socket.pause();
    await waitUntil('it was heard', () => requests() === 1);

    await waitUntil('its descriptor is free', async () => (await count()) === 0);
    idle.socket.destroy();
  });
});

test('one that reads slowly keeps it', () => {
  let [seconds, isEnded] = [0, false];
  const handle = { writeQueueSize: 1_000 };
  const connection = { _handle: handle, destroy: () => (isEnded = true) } as unknown as Socket;
  const readers = createStalledReaders(60_000, () => seconds * 1000);
  const look = (at: number, bytes: number) => {
    seconds = at;
    handle.writeQueueSize = bytes;
    readers.endStalled([connection]);
    return isEnded;
  };

  assert.equal(
    [look(0, 1_000), look(59, 1_000), look(60, 900), look(119, 900), look(120, 0)],
    Array(5).fill(false),
  );
  assert.equal([look(121, 500), look(180, 500), look(181, 500)], [false, false, true]);
});

test('a peer whose only connection made room still counts', async () => {
  await withListener({ mostPerPeer: 1 }, async (port, { count, requests, finish }) => {
    const silent = await stubborn(port);
    const worker = await stubborn(port, get('/slow'));
    await waitUntil('it is heard', () => requests() === 1);

    const refused = await stubborn(port);
    await waitUntil('it was told', () => refused.text().startsWith('HTTP/1.1 429'));

    assert.is(await count(), 1);
    finish();
    for (const { socket } of [silent, worker, refused]) socket.destroy();
  });
});

test('a peer that is gone counts no more', async () => {
  await withListener({ mostPerPeer: 1 }, async (port, { count }) => {
    for (let round = 0; round < 5; round += 1) {
      const client = await stubborn(port, get());
      await waitUntil('it is answered', () => client.text().includes('ok'));
      client.socket.destroy();
      await waitUntil('it is gone', async () => (await count()) === 0);
    }
  });
});

test('a peer is an IPv4 address or an IPv6 network of 64 bits', () => {
  assert.is(peerOf('192.0.2.7'), '192.0.2.7');
  assert.is(peerOf('::ffff:192.0.2.7'), '192.0.2.7');
  assert.is(peerOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2');
  assert.is(peerOf('2001:db8:1:2::6'), '2001:db8:1:2');
  assert.is(peerOf('2001:db8::1'), '2001:db8:0:0');
  assert.is(peerOf('::1'), '0:0:0:0');
  assert.is(peerOf('fe80::1%eth0'), 'fe80:0:0:0');
});

test('networks are addresses with or without a prefix', () => {
  for (const good of ['10.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/32', 'fd00::/8'])
    assert.ok(isNetwork(good), good);
  for (const bad of [
    '10.0.0',
    '10.0.0.0/33',
    'host',
    '::1/129',
    '10.0.0.0/8/8',
    '300.1.1.1',
    '10.0.0.0/',
    '',
  ]) {
    assert.not(isNetwork(bad), bad);
  }
});

test('a network check finds addresses in any of their forms', () => {
  const isIn = createNetworkCheck(['10.0.0.0/8', '2001:db8::/32', '192.0.2.7']);

  for (const address of ['10.1.2.3', '2001:db8::5', '192.0.2.7', '::ffff:10.1.2.3'])
    assert.ok(isIn(address), address);
  for (const address of ['11.1.2.3', '2001:db9::5', '192.0.2.8', '::1']) assert.not(isIn(address), address);
});

test.run();
