import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAdminToken } from '../../../static/lib/admin-token.js';
import { ApiFailure, createApi } from '../../../static/lib/api.js';

const test = suite('the dashboard and the manager API');
const realFetch = globalThis.fetch;
let answer: (request: Request) => Response | Promise<Response>;

test.before(() => {
  globalThis.fetch = async (path, init) => answer(new Request(new URL(String(path), 'http://manager'), init));
});

test.after(() => {
  globalThis.fetch = realFetch;
});

const pathOf = ({ url }: Request) => url.slice('http://manager'.length);
const ok = (body: object) => Response.json({ success: true, ...body });
const refused = () =>
  Response.json({ success: false, error: 'A token is needed.', code: 'unauthorized' }, { status: 401 });
const failureOf = (promise: Promise<unknown>): Promise<ApiFailure> =>
  promise.then(
    () => assert.unreachable('it should fail') as never,
    (error) => error,
  );

test('a body goes out as JSON with its headers, and the answer comes back parsed', async () => {
  answer = async (request) => {
    const sent = { method: request.method, url: pathOf(request), type: request.headers.get('content-type') };
    return ok({ ...sent, etag: request.headers.get('if-match'), body: await request.json() });
  };
  const api = createApi({ getToken: () => '' });

  const seen = await api.call('PUT /api/groups/{name}/tools', {
    path: { name: 'a b' },
    body: { tools: [] },
    headers: { 'If-Match': '"1"' },
  });

  const about = { method: 'PUT', url: '/api/groups/a%20b/tools', type: 'application/json', etag: '"1"' };
  assert.equal(seen as unknown, { success: true, ...about, body: { tools: [] } });
});

test('what is asked for goes into the address, and what is left open does not', async () => {
  answer = (request) => ok({ group: pathOf(request) });
  const api = createApi({ getToken: () => '' });

  const of = async (query: { group?: string }) => (await api.call('GET /api/tools', { query })).group;

  assert.is(await of({ group: 'a b&c' }), '/api/tools?group=a+b%26c');
  assert.is(await of({ group: undefined }), '/api/tools');
});

test('text goes out as it is, and a call that is given up is no failure of the manager', async () => {
  answer = async (request) => ok({ text: await request.text(), type: request.headers.get('content-type') });
  const api = createApi({ getToken: () => '' });
  const sent = await api.call('POST /api/update', { body: '{"n":12345678901234567890}' });
  assert.equal(sent as unknown, {
    success: true,
    text: '{"n":12345678901234567890}',
    type: 'application/json',
  });

  const leaving = new AbortController();
  answer = () => {
    leaving.abort();
    return Promise.reject(leaving.signal.reason);
  };
  const failure = await failureOf(api.call('POST /api/update', { body: '{}', signal: leaving.signal }));
  assert.is(failure.name, 'AbortError');
});

test("a failure carries the service's sentence, code and details", async () => {
  const body = { success: false, error: 'It changed.', code: 'group_changed', details: { tools: ['a'] } };
  answer = () => Response.json(body, { status: 409 });

  const failure = await failureOf(createApi({ getToken: () => '' }).call('POST /api/update', { body: '{}' }));

  assert.instance(failure, ApiFailure);
  assert.is(failure.message, 'It changed.');
  assert.is(failure.status, 409);
  assert.equal([failure.code, failure.details], ['group_changed', { tools: ['a'] }]);
});

test('an answer that is no JSON, from a proxy perhaps, is a failure with its status', async () => {
  answer = () => new Response('<h1>Bad gateway</h1>', { status: 502 });
  const failure = await failureOf(createApi({ getToken: () => '' }).call('GET /api/groups'));
  assert.is(failure.status, 502);
});

test('a manager that is not there is `unreachable`', async () => {
  answer = () => Promise.reject(new TypeError('fetch failed'));
  const failure = await failureOf(createApi({ getToken: () => '' }).call('GET /api/groups'));
  assert.is(failure.code, 'unreachable');
});

test('calls refused together ask for the token once, and are sent again with it', async () => {
  answer = (request) => (request.headers.get('authorization') === 'Bearer right' ? ok({}) : refused());
  let asked = 0;
  const token = createAdminToken({ onAsk: () => (asked += 1), onLocked: () => {} });
  const api = createApi({ getToken: token.get, askForToken: token.ask });

  const calls = Promise.all([api.call('GET /api/groups'), api.call('GET /api/servers')]);
  await new Promise((resolve) => setTimeout(resolve, 10));
  token.set('right');
  await calls;
  await api.call('GET /api/tools');

  assert.is(asked, 1);
});

test('a wrong token is asked for again', async () => {
  answer = (request) => (request.headers.get('authorization') === 'Bearer right' ? ok({}) : refused());
  const typed = ['wrong', 'right'];
  const again: boolean[] = [];
  const token = createAdminToken({
    onAsk: (isAgain) => {
      again.push(isAgain);
      setTimeout(() => token.set(typed.shift() ?? ''));
    },
    onLocked: () => {},
  });

  await createApi({ getToken: token.get, askForToken: token.ask }).call('GET /api/groups');

  assert.equal(typed, []);
  assert.equal(again, [false, true]);
});

test('the token is kept for the tab until it is refused', async () => {
  answer = (request) => (request.headers.get('authorization') === 'Bearer right' ? ok({}) : refused());
  const stored = new Map([['admin-token', 'of-before']]);
  const kept = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  const again: [boolean, number][] = [];
  const token = createAdminToken({
    kept,
    onAsk: (isAgain) => {
      again.push([isAgain, stored.size]);
      setTimeout(() => token.set('right'));
    },
    onLocked: () => {},
  });

  await createApi({ getToken: token.get, askForToken: token.ask }).call('GET /api/groups');

  assert.equal(again, [[true, 0]]);
  assert.equal([...stored], [['admin-token', 'right']]);
  const next = createAdminToken({ kept, onAsk: () => {}, onLocked: () => {} });
  await createApi({ getToken: next.get, askForToken: next.ask }).call('GET /api/groups');
  assert.is(next.get(), 'right');
});

test('who declines is not asked again until they want to be', async () => {
  answer = refused;
  const locked: boolean[] = [];
  let asked = 0;
  const token = createAdminToken({
    onAsk: () => {
      asked += 1;
      setTimeout(token.decline);
    },
    onLocked: (isLocked) => locked.push(isLocked),
  });
  const api = createApi({ getToken: token.get, askForToken: token.ask });

  assert.is((await failureOf(api.call('GET /api/groups'))).code, 'unauthorized');
  assert.is((await failureOf(api.call('GET /api/servers'))).code, 'unauthorized');

  assert.is(asked, 1);
  assert.equal(locked, [true]);
});

test('a stream calls back for each event, and a plain answer is one event', async () => {
  const stream = () =>
    new Response('event: step\ndata: {"step":"pull"}\n\nevent: done\ndata: {}\n\n', {
      headers: { 'Content-Type': 'text/event-stream' },
    });
  const seen: unknown[] = [];
  const onEvent = (type: string, data: unknown) => seen.push([type, data]);
  const api = createApi({ getToken: () => '' });

  answer = stream;
  await api.stream('POST /api/servers/{name}/update', { path: { name: 'web' }, body: {}, onEvent });
  answer = () => ok({ a: 1 });
  await api.stream('POST /api/servers/{name}/update', { path: { name: 'web' }, onEvent });

  assert.equal(seen, [
    ['step', { step: 'pull' }],
    ['done', {}],
    ['message', { success: true, a: 1 }],
  ]);
});

test.run();
