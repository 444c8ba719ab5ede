import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../../lib/failure.ts';
import { openSession, post, request } from '../../support/mcp-exchange.ts';
import { onBothLegs } from '../../support/two-legs.ts';

const test = suite('tools/call');

onBothLegs(test, 'rule 36: the prefix is stripped and every other param travels untouched', async (leg) => {
  const session = await openSession(leg.fetch);
  const sent =
    '{ "arguments":{"n":12345678901234567890, "f":1.0,"s":"\\u00e9"}, "name":"demo__echo" ,' +
    '"_meta":{"traceparent":"00-1"},"unknown":[ 1e3 ]}';

  await post(leg.fetch, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${sent}}`, session);

  const [call] = leg.upstreams.calls;
  assert.is(call?.server, 'demo');
  assert.is(call?.method, 'tools/call');
  assert.is(call?.sessionId, session['Mcp-Session-Id']);
  assert.is(call?.params, sent.replace('demo__echo', 'echo'));
});

onBothLegs(test, 'rule 36: the result is passed on byte for byte', async (leg) => {
  const session = await openSession(leg.fetch);
  const result =
    '{ "content":[{"type":"hologram","x":1.0},{"type":"text","text":"\\u2028 \\ud83d\\ude00"}],' +
    '"structuredContent":[1,2],"isError":false,"big":123456789012345678901,"_meta":{"k":null} }';
  leg.upstreams.answerWith(() => ({ result }));

  const answer = await post(leg.fetch, request('x', 'tools/call', { name: 'demo__echo' }), session);

  assert.is(answer.status, 200);
  assert.is(answer.text, `{"jsonrpc":"2.0","id":"x","result":${result}}`);
  assert.equal(leg.counted, ['demo echo ok']);
});

onBothLegs(test, 'rule 36: the server’s own error keeps its code, message and data', async (leg) => {
  const session = await openSession(leg.fetch);
  const error = '{"code":-32042,"message":"Need a URL","data":{"url":"https://x","n":1.0}}';
  leg.upstreams.answerWith(() => ({ error }));

  const answer = await post(leg.fetch, request(3, 'tools/call', { name: 'demo__echo' }), session);

  assert.is(answer.status, 200);
  assert.is(answer.text, `{"jsonrpc":"2.0","id":3,"error":${error}}`);
  assert.equal(leg.counted, ['demo echo rpc_error']);
});

onBothLegs(test, 'a result with isError is the tool’s own, and is counted so', async (leg) => {
  const session = await openSession(leg.fetch);
  leg.upstreams.answerWith(() => ({ result: '{"content":[],"isError":true}' }));

  const answer = await post(leg.fetch, request(1, 'tools/call', { name: 'demo__echo' }), session);

  assert.equal(answer.body.result, { content: [], isError: true });
  assert.equal(leg.counted, ['demo echo tool_error']);
});

onBothLegs(test, 'arguments that are no object are refused before any server hears of them', async (leg) => {
  const session = await openSession(leg.fetch);

  for (const given of [[], [{ a: 1 }], 'text', '', 7, 0, true, null]) {
    const params = { name: 'demo__echo', arguments: given };
    const { body, status } = await post(leg.fetch, request(1, 'tools/call', params), session);
    assert.equal([status, body.error.code], [200, -32602], JSON.stringify(given));
    assert.is(body.error.message, '`params.arguments` must be an object.');
  }
  assert.is(leg.upstreams.calls.length, 0);
});

onBothLegs(test, 'rule 36: a tool outside the group gets the same words as an unknown one', async (leg) => {
  const session = await openSession(leg.fetch);
  const call = async (name: string) =>
    (await post(leg.fetch, request(1, 'tools/call', { name }), session)).body.error;

  const hidden = await call('demo__hidden');
  const unknown = await call('demo__nothing');

  assert.is(hidden.code, -32602);
  assert.equal(hidden, JSON.parse(JSON.stringify(unknown).replaceAll('nothing', 'hidden')));
  assert.is(leg.upstreams.calls.length, 0);
});

onBothLegs(test, 'no other spelling of a tool’s name reaches a server', async (leg) => {
  const session = await openSession(leg.fetch);
  const spellings = [
    'echo',
    'demo__echo ',
    'DEMO__ECHO',
    '__demo__echo',
    '../demo__echo',
    'demo__',
    '__',
    '',
  ];
  const prototypes = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

  for (const name of [...spellings, ...prototypes]) {
    const answer = await post(leg.fetch, request(1, 'tools/call', { name }), session);

    assert.equal([answer.status, answer.body.error?.code], [200, -32602], name);
  }
  assert.is(leg.upstreams.calls.length, 0);
});

onBothLegs(test, 'a doubled name cannot carry a hidden tool past the group', async (leg) => {
  const session = await openSession(leg.fetch);
  const call = (first: string, second: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${first}","n\\u0061me":"${second}"}}`;

  const lastHidden = await post(leg.fetch, call('demo__echo', 'demo__hidden'), session);
  const firstHidden = await post(leg.fetch, call('demo__hidden', 'demo__echo'), session);

  assert.is(lastHidden.body.error.code, -32602);
  assert.ok(firstHidden.body.result);
  assert.equal(
    leg.upstreams.calls.map(({ params }) => params),
    ['{"name":"echo","n\\u0061me":"echo"}'],
  );
});

onBothLegs(test, 'doubled params travel as the ones that were judged', async (leg) => {
  const session = await openSession(leg.fetch);
  const hidden = '{"name":"demo__hidden"}';

  const text = `{"jsonrpc":"2.0","id":1,"params":${hidden},"method":"tools/call","params":{"name":"demo__echo"}}`;
  await post(leg.fetch, text, session);

  assert.equal(
    leg.upstreams.calls.map(({ params }) => params),
    ['{"name":"echo"}'],
  );
});

onBothLegs(test, 'rule 36: membership is judged at each call, not when the list was read', async (leg) => {
  const session = await openSession(leg.fetch);
  const call = () => post(leg.fetch, request(1, 'tools/call', { name: 'demo__echo' }), session);

  const before = await call();
  leg.groups.write('svc-global', ['demo__add']);
  const after = await call();

  assert.ok(before.body.result);
  assert.is(after.body.error.code, -32602);
});

onBothLegs(test, 'a tool with an exposed name is called by that name alone', async (leg) => {
  leg.groups.write('svc-global', { included_tools: ['demo__echo'], exposed_names: { demo__echo: 'say' } });
  const session = await openSession(leg.fetch);
  const call = (name: string) => post(leg.fetch, request(1, 'tools/call', { name }), session);

  const exposed = await call('say');
  const full = await call('demo__echo');

  assert.ok(exposed.body.result);
  assert.is(full.body.error.code, -32602);
  assert.is(leg.upstreams.calls[0]?.params, '{"name":"echo"}');
});

onBothLegs(test, 'a call without a name, or with one that is no string, is -32602', async ({ fetch }) => {
  const session = await openSession(fetch);

  for (const params of [undefined, {}, { name: 5 }, { name: null }, { name: ['demo__echo'] }]) {
    const { status, body } = await post(fetch, request(1, 'tools/call', params), session);

    assert.equal([status, body.error.code], [200, -32602]);
    assert.match(body.error.message, '`params.name`');
  }
});

onBothLegs(test, 'a server that is down is a result with isError that names it', async (leg) => {
  const session = await openSession(leg.fetch);
  leg.upstreams.answerWith(() => {
    throw new Failure('upstream_unavailable', 'The server "demo" is unavailable: its process ended.');
  });

  const answer = await post(leg.fetch, request(1, 'tools/call', { name: 'demo__echo' }), session);

  assert.is(answer.status, 200);
  assert.is(answer.body.result.isError, true);
  assert.match(answer.body.result.content[0].text, 'The server "demo" is unavailable');
  assert.equal(leg.counted, ['demo echo upstream_unavailable']);
});

onBothLegs(test, 'a server that is too slow is a result with isError', async (leg) => {
  const session = await openSession(leg.fetch);
  leg.upstreams.answerWith(() => {
    throw new Failure('upstream_timeout', 'The server "demo" did not answer within 60 s.');
  });

  const { body } = await post(leg.fetch, request(1, 'tools/call', { name: 'demo__echo' }), session);

  const text = 'The server "demo" did not answer within 60 s.';
  assert.equal(body.result, { content: [{ type: 'text', text }], isError: true });
});

onBothLegs(test, 'a server removed in mid-call is an unknown tool, not a lost session', async (leg) => {
  const session = await openSession(leg.fetch);
  leg.upstreams.answerWith(() => {
    throw new Failure('server_not_found', 'There is no server "demo".');
  });

  const { status, body } = await post(leg.fetch, request(1, 'tools/call', { name: 'demo__echo' }), session);

  assert.equal([status, body.error.code], [200, -32602]);
});

onBothLegs(test, 'a full queue is 429 with Retry-After', async (leg) => {
  const session = await openSession(leg.fetch);
  leg.upstreams.answerWith(() => {
    throw new Failure('too_many_requests', 'The server "demo" has too many calls waiting.', {
      headers: { 'Retry-After': '1' },
    });
  });

  const answer = await post(leg.fetch, request(1, 'tools/call', { name: 'demo__echo' }), session);

  assert.is(answer.status, 429);
  assert.is(answer.headers.get('retry-after'), '1');
  assert.equal([answer.body.id, answer.body.error.code], [1, -32000]);
});

onBothLegs(
  test,
  'rule 37: a session with as many calls under way as it may have gets 429',
  async (leg) => {
    const session = await openSession(leg.fetch);
    const another = await openSession(leg.fetch);
    const finish: (() => void)[] = [];
    leg.upstreams.answerWith(() => new Promise((resolve) => finish.push(() => resolve({ result: '{}' }))));
    const call = (id: number, headers = session) =>
      post(leg.fetch, request(id, 'tools/call', { name: 'demo__echo' }), headers);

    // Equal ids break the client's own rule, and must not buy it further places.
    const running = [call(1), call(1)];
    while (finish.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    const tooMany = await call(1);
    const ping = await post(leg.fetch, request(9, 'ping'), session);
    const elsewhere = call(1, another);
    while (finish.length < 3) await new Promise((resolve) => setTimeout(resolve, 1));
    for (const end of finish) end();

    assert.is(tooMany.status, 429);
    assert.ok(tooMany.headers.get('retry-after'));
    assert.is(ping.status, 200);
    for (const answer of await Promise.all([...running, elsewhere])) assert.is(answer.status, 200);
    assert.is(leg.calls.count(), 0);
  },
  { maxCallsPerSession: 2 },
);

onBothLegs(test, 'a defect is 500 with -32603, an id that the log has too, and no detail', async (leg) => {
  const session = await openSession(leg.fetch);
  leg.upstreams.answerWith(() => {
    throw new TypeError('SECRET at /home/me/file.ts');
  });

  const answer = await post(leg.fetch, request(1, 'tools/call', { name: 'demo__echo' }), session);

  const [entry] = leg.logged.filter(({ level }) => level === 'error');
  assert.is(answer.status, 500);
  assert.is(answer.body.error.code, -32603);
  assert.is(answer.body.error.message, 'Internal error');
  assert.is(answer.body.error.data.request_id, entry?.fields.request_id);
  assert.not.match(answer.text, 'SECRET');
  assert.match(String(entry?.fields.error), 'SECRET');
});

onBothLegs(test, 'an unknown method is 200 with -32601', async ({ fetch }) => {
  const session = await openSession(fetch);

  for (const method of [
    'no/such',
    '',
    '__proto__',
    'toString',
    'tools/list ',
    'TOOLS/LIST',
    'resources/read',
  ]) {
    const { status, body } = await post(fetch, request(2, method), session);

    assert.equal([status, body.id, body.error?.code], [200, 2, -32601], method);
  }
});

onBothLegs(test, 'a name of any length is shown short and without control characters', async ({ fetch }) => {
  const session = await openSession(fetch);

  const name = `\u001b[31m\n${'x'.repeat(5000)}`;
  const tool = await post(fetch, request(1, 'tools/call', { name }), session);
  const method = await post(fetch, request(1, name), session);

  for (const { body } of [tool, method]) {
    assert.ok(body.error.message.length < 200);
    assert.is(/[^ -~]/.test(body.error.message), false);
  }
});

test.run();
