/** Readers that do not read: each costs a bounded queue, and nobody else waits for it (SECURITY.md, Limits). */
import { connect, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { maxQueuedBytes } from '../../../lib/streams/bounded-stream.ts';
import { endpoint, openReader, openSession, post, request } from '../../support/mcp-exchange.ts';
import { onNodeLeg } from '../../support/two-legs.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('slow readers');
const chunk = 65_536;
const text = 'x'.repeat(chunk);

/** Asks for the session's stream and reads not a byte of it. */
async function stall(port: number, session: Record<string, string>): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.pause();
  const headers = Object.entries({ Host: `127.0.0.1:${port}`, Accept: 'text/event-stream', ...session });
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  socket.write(`GET ${endpoint} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  return socket;
}

/** What is sent until the stream refuses; gives the socket time to take what it will. */
async function fill(send: () => boolean): Promise<number> {
  let sent = 0;
  while (send()) {
    sent += chunk;
    if (sent > 256 * chunk) throw new Error('It never refused.');
    await new Promise((resolve) => setImmediate(resolve));
  }
  return sent;
}

test('a stalled reader is cut off when 1 MiB waits beyond what its connection took', () =>
  onNodeLeg(async (leg) => {
    const session = await openSession(leg.fetch);
    const id = session['Mcp-Session-Id'];
    const socket = await stall(leg.port, session);
    await waitUntil('its stream is open', () => leg.streams.count() === 1, { everyMs: 1 });

    const sent = await fill(() => leg.streams.sendToSession(id, JSON.stringify({ text })));
    socket.destroy();

    assert.ok(sent >= maxQueuedBytes - chunk, `${sent}`);
    assert.is(leg.streams.count(), 0);
    assert.is(leg.streams.sendToSession(id, '{}'), false);
  }));

test('many stalled readers hold what their bound says, and others are answered meanwhile', () =>
  onNodeLeg(async (leg) => {
    const count = 24;
    const sockets: Socket[] = [];
    for (let n = 0; n < count; n += 1) sockets.push(await stall(leg.port, await openSession(leg.fetch)));
    const reading = await openSession(leg.fetch);
    const reader = openReader(
      await leg.fetch(endpoint, { headers: { ...reading, Accept: 'text/event-stream' } }),
    );
    await waitUntil('all are open', () => leg.streams.count() === count + 1, { everyMs: 1 });
    const before = process.memoryUsage().arrayBuffers;

    let received = 0;
    for (let turn = 0; turn < 200; turn += 1) {
      leg.streams.sendToGroup('svc-global', JSON.stringify({ turn, text }));
      while (!(await reader.next()).includes(`"turn":${turn},`));
      received += 1;
      if (turn % 20 === 0) assert.is((await post(leg.fetch, request(turn, 'ping'), reading)).status, 200);
    }
    const held = process.memoryUsage().arrayBuffers - before;
    for (const socket of sockets) socket.destroy();

    assert.is(received, 200);
    assert.is(leg.streams.count(), 1, 'only the one that reads is left');
    assert.ok(held < count * 2 * maxQueuedBytes, `${Math.round(held / 1024)} KiB`);
  }));

test.run();
