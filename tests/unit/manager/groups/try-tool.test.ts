/** Show 5: a tool is called before agents have it, by those who may, and is told apart from an agent's call. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../../../lib/failure.ts';
import type { RelayedCall } from '../../../support/scripted-upstreams.ts';
import { createManagerFixture, type ManagerFixture } from './manager-fixture.ts';

const test = suite<{ manager: ManagerFixture }>('POST /api/tools/{tool}/try');

test.before.each(async (context) => {
  context.manager = await createManagerFixture();
  context.manager.catalog.setTools('files', ['{"name":"read","x":1}', '{"name":"write"}']);
});
test.after.each((context) => context.manager.close());

const tryRead = 'POST /api/tools/files__read/try';

test('a tool that no group has is called under its own name, and its whole result answered', async ({
  manager,
}) => {
  manager.upstreams.answerWith(() => ({
    result: '{"content":[{"type":"text","text":"hello"}],"structuredContent":{"size":12345678901234567890}}',
  }));

  const { status, body, text } = await manager.call(tryRead, '{"arguments":{"id":98765432109876543210}}');

  assert.is(status, 200);
  assert.is(body.success, true);
  assert.is(body.tried, true);
  assert.equal(
    [body.tool, body.server, body.group, body.enabled, body.state, body.warnings],
    ['files__read', 'files', 'default', false, 'present', undefined],
  );
  assert.equal(body.result.content, [{ type: 'text', text: 'hello' }]);
  assert.match(text, '"size":12345678901234567890');
  const [call] = manager.upstreams.calls;
  assert.is(call?.method, 'tools/call');
  assert.is(call?.params, '{"name":"read","arguments":{"id":98765432109876543210}}');
  assert.is(call?.wantsProgress, false);
});

test('without arguments it gets none', async ({ manager }) => {
  await manager.call(tryRead, {});

  assert.is(manager.upstreams.calls[0]?.params, '{"name":"read","arguments":{}}');
});

test("a tool's own error is a result, as agents get it", async ({ manager }) => {
  manager.upstreams.answerWith(() => ({ result: '{"content":[],"isError":true}' }));

  const { status, body } = await manager.call(tryRead, {});

  assert.is(status, 200);
  assert.equal(body.result, { content: [], isError: true });
});

test('a server that refuses, is down or full is told in its words', async ({ manager }) => {
  const asked = async (script: (call: RelayedCall) => never | { error: string }) => {
    manager.upstreams.answerWith(script);
    const { status, body } = await manager.call(tryRead, {});
    return [status, body.code, body.error, body.details];
  };
  const failing = (code: 'upstream_unavailable' | 'upstream_timeout' | 'too_many_requests') => () => {
    throw new Failure(code, `It is ${code}.`);
  };

  assert.equal(await asked(() => ({ error: '{"code":-32602,"message":"no such path"}' })), [
    502,
    'upstream_error',
    'Server `files` answered with an error: no such path',
    { rpc_error: { code: -32602, message: 'no such path' } },
  ]);
  assert.equal((await asked(() => ({ error: '"odd"' }))).slice(0, 2), [502, 'upstream_error']);
  assert.is((await asked(failing('upstream_unavailable')))[0], 502);
  assert.is((await asked(failing('upstream_timeout')))[0], 504);
  assert.is((await asked(failing('too_many_requests')))[0], 429);
});

test('a changed definition that nobody approved can be tried, and the answer says so', async ({
  manager,
}) => {
  await manager.call('POST /api/update', { tools: ['files__read', 'files__write'] });
  manager.catalog.setTools('files', ['{"name":"read","x":2}', '{"name":"write"}']);

  const changed = (await manager.call(tryRead, { group: 'default' })).body;
  const same = (await manager.call('POST /api/tools/files__write/try', {})).body;

  assert.equal([changed.enabled, changed.state], [true, 'changed']);
  assert.match(changed.warnings[0], /not the one that was approved for group `default`/);
  assert.equal([same.enabled, same.warnings], [true, undefined]);
});

test('a group that is named must be there; without one the default group may be gone', async ({
  manager,
}) => {
  const unknown = await manager.call(tryRead, { group: 'nosuch' });
  manager.groups.read = () => undefined;
  const without = await manager.call(tryRead, {});

  assert.equal([unknown.status, unknown.body.code], [404, 'group_not_found']);
  assert.equal([without.status, without.body.group], [200, undefined]);
});

test('it has a session of its own, which ends with it, also when it fails', async ({ manager }) => {
  await manager.call(tryRead, {});
  manager.upstreams.answerWith(() => {
    throw new Failure('upstream_timeout', 'Too slow.');
  });
  await manager.call(tryRead, {});

  const sessions = manager.upstreams.calls.map(({ sessionId }) => sessionId);
  assert.is(new Set(sessions).size, 2);
  assert.equal(manager.upstreams.endedSessions, sessions);
});

test('what its server asks back is refused in words', async ({ manager }) => {
  const answers: unknown[] = [];
  manager.upstreams.answerWith(async ({ clientChannel }) => {
    for (const method of ['sampling/createMessage', 'elicitation/create', 'roots/list']) {
      const answer = await clientChannel?.ask(method, '{}', new AbortController().signal);
      answers.push(answer && 'error' in answer && JSON.parse(answer.error).message);
    }
    clientChannel?.notify('{}');
    assert.is(clientChannel?.canAnswer, false);
    return { result: '{"content":[]}' };
  });

  await manager.call(tryRead, {});

  assert.equal(answers, [
    'This call is a try: there is no client behind it that could answer sampling/createMessage.',
    'This call is a try: there is no client behind it that could answer elicitation/create.',
    'This call is a try: there is no client behind it that could answer roots/list.',
  ]);
});

test('who hangs up cancels the call at its server', async ({ manager }) => {
  const leaving = new AbortController();
  manager.upstreams.answerWith(
    ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        leaving.abort();
      }),
  );

  const request = new Request('http://127.0.0.1:3701/api/tools/files__read/try', {
    ...{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' },
    signal: leaving.signal,
  });
  await manager.serve(request);

  assert.is(manager.upstreams.calls[0]?.signal.aborted, true);
  assert.match(await manager.metrics.render(), 'svc_mcp_tries_total{server="files",outcome="cancelled"} 1');
  assert.is(manager.upstreams.endedSessions.length, 1);
});

test('log and metrics say that no agent made the call, and hold neither arguments nor result', async ({
  manager,
}) => {
  manager.upstreams.answerWith(() => ({
    result: '{"content":[],"isError":true,"_meta":{"x":"secret-result"}}',
  }));

  await manager.call(tryRead, { arguments: { path: 'secret-argument' } });

  const line = manager.logged.find(({ fields }) => fields.tried === true);
  assert.equal(
    [line?.fields.server, line?.fields.tool, line?.fields.outcome],
    ['files', 'read', 'tool_error'],
  );
  assert.not.match(JSON.stringify(manager.logged), /secret-/);
  const metrics = await manager.metrics.render();
  assert.match(metrics, 'svc_mcp_tries_total{server="files",outcome="tool_error"} 1');
  assert.not.match(metrics, 'svc_mcp_calls_total{');
});

test('without rights nothing is called, not even looked up', async ({ manager }) => {
  manager.rights.mayTry = false;

  const known = await manager.call(tryRead, {});
  const unknown = await manager.call('POST /api/tools/nosuch__tool/try', {});

  assert.equal([known.status, known.body.code], [403, 'try_needs_admin']);
  assert.is(unknown.status, 403);
  assert.match(known.body.error, /ADMIN_TOKEN/);
  assert.is(manager.upstreams.calls.length, 0);
});

test('until everything was loaded once it is not guessed what there is', async ({ manager }) => {
  manager.catalog.setLoaded(false);

  assert.is((await manager.call(tryRead, {})).body.code, 'database_unavailable');
});

const json = { 'Content-Type': 'application/json' };

/** What comes in, and what it is refused with. */
const badInputs: Readonly<
  Record<string, readonly [line: string, body: string, headers: object, status: number]>
> = {
  'no type of the body, as a foreign page sends': [tryRead, '{}', { 'Content-Type': 'text/plain' }, 415],
  'a form': [tryRead, 'arguments=1', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
  'no JSON': [tryRead, '{"arguments":', json, 400],
  'an empty body': [tryRead, '', json, 400],
  'null instead of an object': [tryRead, 'null', json, 400],
  'a list instead of an object': [tryRead, '[]', json, 400],
  'arguments that are a list': [tryRead, '{"arguments":[1]}', json, 400],
  'arguments that are a text': [tryRead, '{"arguments":"{}"}', json, 400],
  'arguments that are null': [tryRead, '{"arguments":null}', json, 400],
  'a group that is a number': [tryRead, '{"group":5}', json, 400],
  'a field that is not known': [tryRead, '{"argument":{}}', json, 400],
  'a key of the prototype': [tryRead, '{"__proto__":{"group":"x"}}', json, 400],
  'arguments that nest too deep': [
    tryRead,
    `{"arguments":{"x":${'['.repeat(70)}${']'.repeat(70)}}}`,
    json,
    400,
  ],
  'more than a body may hold': [tryRead, `{"arguments":{"x":"${'a'.repeat(1_100_000)}"}}`, json, 413],
  'a tool that nobody offers': ['POST /api/tools/files__nosuch/try', '{}', json, 404],
  'a tool without a server': ['POST /api/tools/read/try', '{}', json, 404],
  "a prototype's name": ['POST /api/tools/__proto__/try', '{}', json, 404],
  'a name that is no text': ['POST /api/tools/%ff/try', '{}', json, 400],
  'a look': ['GET /api/tools/files__read/try', '', {}, 405],
};

for (const [what, [line, body, headers, status]] of Object.entries(badInputs)) {
  test(`bad input: ${what}`, async ({ manager }) => {
    const hasBody = !line.startsWith('GET');
    const answer = await manager.call(line, hasBody ? body : undefined, { ...headers });

    assert.is(answer.status, status, answer.text);
    assert.is(answer.body.success, false);
    assert.is(manager.upstreams.calls.length, 0);
  });
}

test.run();
