/** Calls that one process relays to the containers of another, over real HTTP. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCancellation } from '../../../../lib/async/cancellation.ts';
import { pause } from '../../../../lib/async/wait.ts';
import { Failure, toFailure } from '../../../../lib/failure.ts';
import { freePort } from '../../../support/free-port.ts';
import { createRecordingLog } from '../../../support/recording-log.ts';
import { waitUntil } from '../../../support/wait-until.ts';
import { call, type Owner, ownerAt, relayToken, remoteOf, remoteWith, startOwner } from './relay-fixture.ts';

const test = suite('relayed calls');
let owner: Owner;

test.before.each(async () => {
  owner = await startOwner();
});

test.after.each(() => owner.close());

function post(authorization: string | undefined, body: unknown = {}): Promise<Response> {
  return fetch(`${owner.url}/internal/calls`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
    body: JSON.stringify(body),
  });
}

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const outcome = await work.then(
    () => new Error('it succeeded'),
    (error: unknown) => error,
  );
  return toFailure(outcome);
}

test('server, session, method and params arrive as they were sent', async () => {
  const params = '{ "name":"echo","arguments":{"n":12345678901234567890,"s":"a\\u0000\u2028\\n\\"é"} }';

  await remoteOf(ownerAt(owner)).request(call({ params: () => params }));

  const [relayed] = owner.upstreams.calls;
  assert.equal(
    [relayed?.server, relayed?.sessionId, relayed?.method, relayed?.params],
    ['demo', 'session-1', 'tools/call', params],
  );
});

test('results and errors come back byte for byte, spaces between tokens apart', async () => {
  const raw = '{"big":12345678901234567890, "dup":1,"dup":2,"s":"\u2028 }\\n\u{1F680}"}';
  const remote = remoteOf(ownerAt(owner));

  owner.upstreams.answerWith(() => ({ result: raw }));
  assert.equal(await remote.request(call()), { result: raw });
  owner.upstreams.answerWith(() => ({ error: raw }));
  assert.equal(await remote.request(call()), { error: raw });
  owner.upstreams.answerWith(() => ({ result: '{\r\n  "a": 1\n}' }));
  assert.equal(await remote.request(call()), { result: '{    "a": 1 }' });
});

test('what is known of a result comes with it', async () => {
  const remote = remoteOf(ownerAt(owner));
  for (const isError of [true, false]) {
    owner.upstreams.answerWith(() => ({ result: '{}', isError }));
    assert.equal(await remote.request(call()), { result: '{}', isError });
  }
});

test('an answer of many megabytes arrives whole', async () => {
  const result = JSON.stringify({ text: 'é'.repeat(4_000_000) });
  owner.upstreams.answerWith(() => ({ result }));

  assert.equal(await remoteOf(ownerAt(owner)).request(call()), { result });
});

test('calls one after another share a connection, those that fail too', async () => {
  const remote = remoteOf(ownerAt(owner));
  for (let at = 0; at < 20; at++) {
    if (at === 10) {
      owner.upstreams.answerWith(() => {
        throw new Failure('too_many_requests', 'Too many.');
      });
    }
    await remote.request(call()).catch(toFailure);
  }

  assert.is(owner.upstreams.calls.length, 20);
  // A call may begin a moment before the connection of the one before is free.
  assert.ok(owner.connections() <= 3, `${owner.connections()} connections`);
});

test('progress comes before the answer, and the server sees a token of the owner', async () => {
  const heard: string[] = [];
  owner.upstreams.answerWith(async (relayed) => {
    relayed.progress({ progress: 1, total: 2 });
    relayed.progress({ progress: 2, total: 2 });
    return { result: '{}' };
  });
  const params = (token: number) => `{"name":"echo","_meta":{"progressToken":${token},"x":1}}`;

  await remoteOf(ownerAt(owner)).request(call({ params, onProgress: (text) => heard.push(text) }));

  const [relayed] = owner.upstreams.calls;
  assert.is(relayed?.params, params(relayed?.token ?? -1));
  assert.equal(
    heard.map((text) => JSON.parse(text).params.progress),
    [1, 2],
  );
});

test('failures of the owner keep their code, sentence, details and headers', async () => {
  owner.upstreams.answerWith(() => {
    throw new Failure('too_many_requests', 'Too many.', {
      headers: { 'Retry-After': '1' },
      details: { missing_variables: ['A'] },
    });
  });

  const failure = await failureOf(remoteOf(ownerAt(owner)).request(call()));

  assert.is(failure.code, 'too_many_requests');
  assert.is(failure.message, 'Too many.');
  assert.equal(failure.headers, { 'Retry-After': '1' });
  assert.equal(failure.details, { missing_variables: ['A'] });
});

test('a defect of the owner is internal, and its text stays there', async () => {
  owner.upstreams.answerWith(() => {
    throw new Error('at /some/path');
  });

  const failure = await failureOf(remoteOf(ownerAt(owner)).request(call()));

  assert.equal([failure.code, failure.message], ['internal', 'Internal error']);
});

test('a call that is cancelled is cancelled at the server, and rejects with the reason', async () => {
  owner.upstreams.answerWith(() => new Promise(() => {}));
  const cancellation = createCancellation();
  const pending = remoteOf(ownerAt(owner))
    .request(call({ signal: cancellation.signal }))
    .catch((error: unknown) => error);
  await waitUntil('it arrived', () => owner.upstreams.calls.length === 1);

  cancellation.abort();

  assert.is(await pending, cancellation.signal.reason);
  await waitUntil('the server is told', () => owner.upstreams.calls[0]?.signal.aborted);
});

test('while nobody owns the containers a call fails at once, naming the server', async () => {
  const failure = await failureOf(remoteOf(undefined).request(call()));

  assert.is(failure.code, 'upstream_unavailable');
  assert.match(failure.message, '"demo"');
});

test('a call to an owner that is gone goes to the next one', async () => {
  const gone = { url: `http://127.0.0.1:${await freePort()}`, token: relayToken };

  const answer = await remoteOf(gone, ownerAt(owner)).request(call());

  assert.ok('result' in answer);
  assert.is(owner.upstreams.calls.length, 1);
});

test('a call to one that is the owner no more goes to the next one', async () => {
  const answer = await remoteOf({ url: owner.url, token: 'of-long-ago' }, ownerAt(owner)).request(call());

  assert.ok('result' in answer);
  assert.is(owner.upstreams.calls.length, 1);
});

test('a call whose connection breaks is not sent again', async () => {
  owner.upstreams.answerWith(() => {
    owner.close();
    return new Promise(() => {});
  });
  const next = await startOwner();

  const failure = await failureOf(remoteOf(ownerAt(owner), ownerAt(next)).request(call()));

  assert.is(failure.code, 'upstream_unavailable');
  assert.is(next.upstreams.calls.length, 0);
  next.close();
});

test('a call to a suspended owner fails once that was silent too long, and the next call goes to the next one', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const suspended = { url: `http://127.0.0.1:${port}`, token: relayToken };
  const remote = remoteWith({ silentMs: 100 }, suspended, ownerAt(owner));

  const failure = await failureOf(remote.request(call()));
  assert.is(failure.code, 'upstream_unavailable');
  assert.is(owner.upstreams.calls.length, 0);

  assert.ok('result' in (await remote.request(call())));
  silent.close();
  silent.closeAllConnections();
});

test('an address that refuses is logged once for its reason, without the token; one that has another token now is not', async () => {
  const { log, logged } = createRecordingLog();
  const gone = { url: `http://127.0.0.1:${await freePort()}`, token: relayToken };
  const remote = remoteWith({ log }, gone, gone, { url: owner.url, token: 'of-long-ago' }, ownerAt(owner));

  for (let at = 0; at < 4; at++) await remote.request(call()).catch(toFailure);

  assert.equal(
    logged.map(({ level, fields }) => [level, fields]),
    [['warn', { url: gone.url, reason: 'ECONNREFUSED' }]],
  );
});

test('an owner that goes on sending is not silent', async () => {
  owner.upstreams.answerWith(async (relayed) => {
    for (let at = 0; at < 10; at++) {
      await pause(60);
      relayed.progress({ progress: at });
    }
    return { result: '{}' };
  });

  const answer = await remoteWith({ silentMs: 300 }, ownerAt(owner)).request(
    call({ params: (token) => `{"_meta":{"progressToken":${token}}}`, onProgress() {} }),
  );

  assert.ok('result' in answer);
});

test('without the token of the owner the path is 401, with the admin token too, and shows nothing', async () => {
  for (const authorization of [undefined, 'Bearer the-admin-token', `Bearer ${relayToken}x`]) {
    const response = await post(authorization);
    assert.is(response.status, 401);
    assert.not.match(await response.text(), relayToken);
  }
  assert.is(owner.upstreams.calls.length, 0);
  assert.not.match(JSON.stringify(owner.logged), relayToken);
});

test('the token of the owner opens nothing else', async () => {
  const response = await fetch(`${owner.url}/api/servers`, {
    headers: { authorization: `Bearer ${relayToken}` },
  });

  assert.is(response.status, 401);
});

test('a body that is no call is refused', async () => {
  const { status } = await post(`Bearer ${relayToken}`, { server: 'demo' });

  assert.is(status, 400);
});

test('what the server asks and tells reaches the client through the process that relays', async () => {
  const session = await owner.sessions.create({
    group: 'svc-global',
    protocolVersion: '2025-11-25',
    clientCapabilities: { sampling: {} },
    clientInfo: { name: 'test', version: '1' },
  });
  const log = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1.0}}';
  const told: string[] = [];
  owner.upstreams.answerWith(async ({ clientChannel, signal }) => {
    clientChannel?.notify(log);
    return (await clientChannel?.ask('sampling/createMessage', '{"n":1.0}', signal)) ?? { error: '{}' };
  });
  const client = { canAnswer: true, logLevel: undefined, hangUp() {} };
  const clientChannel = { ...client, notify: (text: string) => void told.push(text) };

  const answer = remoteOf(ownerAt(owner)).request(
    call({
      sessionId: session.id,
      clientChannel: { ...clientChannel, ask: () => Promise.reject(new Error('not here')) },
    }),
  );
  const question = await waitUntil('the question is passed on', () => told[1]);
  const { id } = JSON.parse(question);
  const text = `{"jsonrpc":"2.0","id":"${id}","result":{"role":"user","n":2.0}}`;
  await owner.clientRequests.take(session, { kind: 'response', id, text });

  assert.is(told[0], log);
  assert.is(question, `{"jsonrpc":"2.0","id":"${id}","method":"sampling/createMessage","params":{"n":1.0}}`);
  assert.equal(await answer, { result: '{"role":"user","n":2.0}' });
});

test('a client that cannot be told and asked here is not told and asked there', async () => {
  owner.upstreams.answerWith(({ clientChannel }) => ({
    result: `{"canBeAsked":${clientChannel !== undefined}}`,
  }));

  assert.equal(await remoteOf(ownerAt(owner)).request(call()), { result: '{"canBeAsked":false}' });
});

test.run();
