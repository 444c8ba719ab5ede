import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readJson } from '../../../lib/http/read-body.ts';
import { endpoint, openSession, post, read, request } from '../../support/mcp-exchange.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { type Leg, onBothLegs, onNodeLeg } from '../../support/two-legs.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('request bodies');
const maxBytes = 65_536;

/** A ping whose body has exactly so many bytes. */
function pingOf(bytes: number): string {
  const start = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"';
  return `${start}${'a'.repeat(bytes - start.length - 3)}"}}`;
}

onBothLegs(test, 'rule 9: another media type is 415', async ({ fetch }) => {
  const session = await openSession(fetch);
  const types = [
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json-rpc',
    'x; charset="application/json"',
  ];

  for (const type of types) {
    const answer = await post(fetch, request(1, 'ping'), { ...session, 'Content-Type': type });

    assert.is(answer.status, 415, type);
    assert.equal([answer.body.id, answer.body.error.code], [null, -32000]);
  }
});

onBothLegs(test, 'rule 9: JSON is JSON with any parameter and in any spelling', async ({ fetch }) => {
  const session = await openSession(fetch);

  for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;x=y']) {
    const answer = await post(fetch, request(1, 'ping'), { ...session, 'Content-Type': type });

    assert.is(answer.status, 200, type);
  }
});

onBothLegs(test, 'rule 9: a body without a media type is 415', async (leg) => {
  const session = await openSession(leg.fetch);

  const body = new Blob([JSON.stringify(request(1, 'ping'))]);
  const answer = await read(await leg.fetch(endpoint, { method: 'POST', headers: session, body }));

  assert.is(answer.status, 415);
});

onBothLegs(test, 'a compressed body is 415', async ({ fetch }) => {
  const session = await openSession(fetch);
  const send = (encoding: string) =>
    post(fetch, request(1, 'ping'), { ...session, 'Content-Encoding': encoding });

  assert.is((await send('br')).status, 415);
  assert.is((await send('gzip')).status, 415);
  assert.is((await send('identity')).status, 200);
});

onBothLegs(test, 'rule 10: a body of exactly the limit is read, one byte more is 413', async ({ fetch }) => {
  const session = await openSession(fetch);

  const most = await post(fetch, pingOf(maxBytes), session);
  const tooMuch = await post(fetch, pingOf(maxBytes + 1), session);

  assert.is(most.status, 200);
  assert.is(tooMuch.status, 413);
  assert.equal([tooMuch.body.id, tooMuch.body.error.code], [null, -32000]);
});

onBothLegs(test, 'rule 10: the limit counts bytes, not characters', async ({ fetch }) => {
  const session = await openSession(fetch);
  const inCharacters = pingOf(maxBytes - 10);

  const answer = await post(
    fetch,
    inCharacters.replace('aaaaaaaaaaaaaaaaaaaa', 'éééééééééééééééééééé'),
    session,
  );

  assert.is(answer.status, 413);
});

onBothLegs(test, 'rule 10: a body without a declared length is bounded while it is read', async (leg) => {
  const session = await openSession(leg.fetch);

  const small = await stream(leg, session, [pingOf(1000)]);
  const atLimit = await stream(leg, session, [pingOf(maxBytes).slice(0, 1000), pingOf(maxBytes).slice(1000)]);
  const tooMuch = await stream(leg, session, [pingOf(maxBytes), ' ']);

  assert.equal([small.status, atLimit.status, tooMuch.status], [200, 200, 413]);
});

onBothLegs(test, 'a body that is not UTF-8 is 400 and -32700', async (leg) => {
  const session = await openSession(leg.fetch);
  const bytes = Buffer.from(pingOf(100));
  bytes[60] = 0xff;

  const headers = { 'Content-Type': 'application/json', ...session };
  const answer = await read(await leg.fetch(endpoint, { method: 'POST', headers, body: bytes }));

  assert.is(answer.status, 400);
  assert.is(answer.body.error.code, -32700);
});

onBothLegs(test, 'a byte order mark is no part of the JSON', async ({ fetch }) => {
  const session = await openSession(fetch);

  const answer = await post(fetch, `\ufeff${pingOf(100)}`, session);

  assert.is(answer.status, 200);
});

onBothLegs(test, 'no body at all is 400 and -32700', async (leg) => {
  const session = await openSession(leg.fetch);

  const headers = { 'Content-Type': 'application/json', ...session };
  const answer = await read(await leg.fetch(endpoint, { method: 'POST', headers }));

  assert.is(answer.status, 400);
  assert.is(answer.body.error.code, -32700);
});

test('a declared length over the limit is 413 before a byte of it was sent', async () => {
  await onNodeLeg(async ({ port }) => {
    const head = `POST ${endpoint} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n`;
    const answer = await sendRaw(port, Buffer.from(`${head}Content-Length: 99999999999\r\n\r\n`));

    assert.is(answer.status, 413);
    assert.is(JSON.parse(answer.body).error.data.code, 'payload_too_large');
  });
});

test('5 MiB in chunks get their 413, and the connection survives or closes cleanly', async () => {
  await onNodeLeg(async ({ port, fetch }) => {
    const head = `POST ${endpoint} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n`;
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    const bytes = `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(80)}0\r\n\r\n`;
    const answer = await sendRaw(port, Buffer.from(bytes));

    assert.is(answer.status, 413);
    assert.is((await fetch('/healthz')).status, 200);
  });
});

test('a client that hangs up in the middle of its body is no defect of ours', async () => {
  for (const length of ['Content-Length: 1000', 'Transfer-Encoding: chunked']) {
    await onNodeLeg(async ({ port, fetch, logged }) => {
      const head = `POST ${endpoint} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n`;
      let closed = false;
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(`${head}${length}\r\n\r\n5\r\n{"a":`, () => socket.destroy());
      });
      socket.on('close', () => {
        closed = true;
      });
      await waitUntil('the socket is closed', () => closed, { everyMs: 1 });
      await new Promise((resolve) => setTimeout(resolve, 20));

      assert.is((await fetch('/healthz')).status, 200);
      assert.equal(logged, [], length);
    });
  }
});

test('the manager’s reader parses within the same limits', async () => {
  const send = (body: string, type = 'application/json') =>
    readJson(new Request('http://x/', { method: 'POST', body, headers: { 'Content-Type': type } }), 100);

  assert.equal(await send('{"tool":"a"}'), { tool: 'a' });
  assert.is(await codeOf(send('{')), 'parse_error');
  assert.is(await codeOf(send('"'.repeat(101))), 'payload_too_large');
  assert.is(await codeOf(send('{}', 'text/plain')), 'unsupported_media_type');
});

async function stream(leg: Leg, session: Record<string, string>, parts: readonly string[]) {
  const body = new Blob([...parts]).stream();
  const headers = { 'Content-Type': 'application/json', ...session };
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
  return await read(await leg.fetch(endpoint, init));
}

async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  return await promise.then(
    () => undefined,
    (error) => error.code,
  );
}

test.run();
