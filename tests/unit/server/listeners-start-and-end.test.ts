/** Who is served, waits or is refused while a service starts and ends. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Listeners, openListeners } from '../../../lib/server/listeners/node-listeners.ts';
import { readSettings } from '../../../lib/settings/settings.ts';

const test = suite('doors: start and end');
let directory: string;
let listeners: Listeners;

test.before.each(async () => {
  directory = await mkdtemp(join(tmpdir(), 'doors-'));
  listeners = await openListeners(
    readSettings({ DATA_DIR: directory, MANAGER_PORT: '0', GATEWAY_PORT: '0' }),
  );
});

test.after.each(async () => {
  await listeners.close();
  await rm(directory, { recursive: true });
});

function open(): void {
  const answer = (text: string) => async () => new Response(text);
  listeners.mount({ manager: answer('manager'), gateway: answer('gateway'), admin: answer('admin') });
}

async function ask(url: string, method = 'GET'): Promise<[number, string]> {
  const response = await fetch(url, { method });
  return [response.status, await response.text()];
}

test('agents wait for the end of a start, and nobody else does', async () => {
  const waiting = ['GET', 'POST', 'DELETE'].map((method) =>
    ask(`${listeners.gatewayUrl}/v0/groups/g/mcp`, method),
  );
  const isWaiting = Symbol('waiting');
  const [ready] = await ask(`${listeners.gatewayUrl}/readyz`);
  const [tools] = await ask(`${listeners.gatewayUrl}/api/v0/tools`);
  const [page] = await ask(listeners.managerUrl);
  open();
  const loading = await ask(`${listeners.gatewayUrl}/readyz`);
  const first = await Promise.race([...waiting, Promise.resolve(isWaiting)]);

  listeners.ready();

  assert.equal([ready, tools, page], [503, 503, 503]);
  assert.equal(loading, [200, 'gateway']);
  assert.is(first, isWaiting);
  assert.equal(await Promise.all(waiting), Array(3).fill([200, 'gateway']));
});

test('a start that is broken off keeps nobody waiting', async () => {
  const waiting = ask(`${listeners.gatewayUrl}/mcp`, 'POST');

  listeners.leave();

  assert.is((await waiting)[0], 503);
});

test('at the end who manages is told to come back, and agents are served to the last', async () => {
  open();
  listeners.ready();
  listeners.leave();
  const before = await ask(listeners.managerUrl);

  listeners.refuse();
  const refused = await fetch(listeners.managerUrl);

  assert.equal(before, [200, 'manager']);
  assert.equal([refused.status, refused.headers.get('retry-after')], [503, '5']);
  assert.match((await refused.json()).error, 'restarting');
  assert.equal(await ask(`${listeners.managerUrl}/healthz`), [200, '{"status":"ok"}']);
  assert.equal(await ask(`${listeners.gatewayUrl}/mcp`, 'POST'), [200, 'gateway']);
});

test('who has connected before the ports close is answered yet, and who asks nothing holds up nobody', async () => {
  open();
  listeners.ready();
  const port = Number(new URL(listeners.gatewayUrl).port);
  const [asking, silent] = [createConnection(port, '127.0.0.1'), createConnection(port, '127.0.0.1')];
  await Promise.all([once(asking, 'connect'), once(silent, 'connect')]);
  // What comes later was accepted later.
  await ask(`${listeners.gatewayUrl}/mcp`, 'POST');

  const closed = listeners.close();
  asking.write('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n');
  const [answer] = await once(asking, 'data');

  assert.match(String(answer), 'HTTP/1.1 200');
  await closed;
  for (const connection of [asking, silent]) connection.destroy();
});

test('whom the system has connected before the ports close is answered, too', async () => {
  open();
  listeners.ready();
  const port = Number(new URL(listeners.gatewayUrl).port);
  const answers = Array.from({ length: 20 }, async () => {
    const connection = createConnection(port, '127.0.0.1');
    connection.write('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n');
    const [answer] = await once(connection, 'data').catch(() => ['cut off']);
    connection.destroy();
    return String(answer).slice(0, 12);
  });
  // They are connected by now, and nobody has looked.
  await new Promise((resolve) => process.nextTick(resolve));

  await listeners.close();

  assert.equal(await Promise.all(answers), Array(20).fill('HTTP/1.1 200'));
});

test.run();
