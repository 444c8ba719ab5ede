import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { databaseUnavailable } from '../../../lib/failure.ts';
import { initializeMessage, openSession, post, request } from '../../support/mcp-exchange.ts';
import { createMemorySessions } from '../../support/memory-sessions.ts';
import { onBothLegs } from '../../support/two-legs.ts';

const test = suite('MCP lifecycle');

onBothLegs(test, 'rule 15: initialize tells version, capabilities and who we are', async ({ fetch }) => {
  const answer = await post(fetch, initializeMessage());

  assert.is(answer.status, 200);
  assert.equal(answer.body, {
    jsonrpc: '2.0',
    id: 0,
    result: {
      protocolVersion: '2025-03-26',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'svc-mcp/svc-global', version: '1.2.3' },
    },
  });
});

onBothLegs(test, 'rule 16: each revision we speak is answered with itself', async ({ fetch }) => {
  for (const version of ['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    const { body } = await post(fetch, initializeMessage(version));

    assert.is(body.result.protocolVersion, version);
  }
});

onBothLegs(test, 'rule 16: any other version is answered with the latest legacy one', async ({ fetch }) => {
  for (const version of ['2026-07-28', '1.0', '', 'x'.repeat(1000)]) {
    const { status, body } = await post(fetch, initializeMessage(version));

    assert.is(status, 200);
    assert.is(body.result.protocolVersion, '2025-11-25');
  }
});

onBothLegs(test, 'rule 18: each initialize returns a new id of visible ASCII', async ({ fetch }) => {
  const one = await openSession(fetch);
  const two = await openSession(fetch);

  assert.match(one['Mcp-Session-Id'], /^[\x21-\x7e]{22,}$/);
  assert.is.not(one['Mcp-Session-Id'], two['Mcp-Session-Id']);
});

onBothLegs(
  test,
  'rule 18: initialize on a live session opens another and leaves the first',
  async ({ fetch }) => {
    const first = await openSession(fetch);

    const again = await post(fetch, initializeMessage(), first);
    const ping = await post(fetch, request(1, 'ping'), first);

    assert.is.not(again.headers.get('mcp-session-id'), first['Mcp-Session-Id']);
    assert.is(ping.status, 200);
  },
);

onBothLegs(
  test,
  'rule 22: requests are answered before notifications/initialized came',
  async ({ fetch }) => {
    const session = await openSession(fetch);

    const answer = await post(fetch, request(1, 'tools/list'), session);

    assert.is(answer.body.result.tools.length, 2);
  },
);

onBothLegs(test, 'rule 23: a version header that we do not speak is 400', async ({ fetch }) => {
  const session = await openSession(fetch);

  for (const version of ['1999-01-01', '2026-07-28', '', 'xÿ']) {
    const answer = await post(fetch, request(9, 'ping'), { ...session, 'MCP-Protocol-Version': version });

    assert.is(answer.status, 400, version);
    assert.equal([answer.body.id, answer.body.error.code], [9, -32000]);
    assert.is(answer.body.error.data.code, 'unsupported_protocol_version');
    assert.match(answer.body.error.message, '2025-11-25');
  }
});

onBothLegs(test, 'rule 23: no version header is fine, and the session’s version wins', async ({ fetch }) => {
  const session = await openSession(fetch, '2025-03-26');
  const batch = [request(1, 'ping')];

  const without = await post(fetch, batch, session);
  const withAnother = await post(fetch, batch, { ...session, 'MCP-Protocol-Version': '2025-11-25' });

  assert.is(without.status, 200);
  assert.is(withAnother.status, 200);
});

onBothLegs(test, 'rule 23: initialize does not look at the version header', async ({ fetch }) => {
  const answer = await post(fetch, initializeMessage(), { 'MCP-Protocol-Version': '2026-07-28' });

  assert.is(answer.status, 200);
});

onBothLegs(test, 'rule 32: ping is answered with an empty result and reaches no server', async (leg) => {
  const session = await openSession(leg.fetch);

  const answer = await post(leg.fetch, request('p', 'ping'), session);

  assert.equal(answer.body, { jsonrpc: '2.0', id: 'p', result: {} });
  assert.is(leg.upstreams.calls.length, 0);
});

onBothLegs(test, 'initialize without what it must say is -32602 and names the field', async ({ fetch }) => {
  const good = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const cases: [string, unknown][] = [
    ['params.protocolVersion', undefined],
    ['params.protocolVersion', { ...good, protocolVersion: 5 }],
    ['params.capabilities', { ...good, capabilities: [] }],
    ['params.clientInfo', { ...good, clientInfo: undefined }],
    ['params.clientInfo.name', { ...good, clientInfo: { version: '1' } }],
    ['params.clientInfo.version', { ...good, clientInfo: { name: 'c', version: 1 } }],
  ];

  for (const [field, params] of cases) {
    const { status, body, headers } = await post(fetch, request(4, 'initialize', params));

    assert.equal([status, body.id, body.error.code], [200, 4, -32602]);
    assert.match(body.error.message, `\`${field}\``);
    assert.is(headers.get('mcp-session-id'), null);
  }
});

onBothLegs(test, 'initialize sent as a notification opens no session', async ({ fetch, sessions }) => {
  const { id: _, ...message } = initializeMessage();

  const answer = await post(fetch, message);

  assert.is(answer.status, 400);
  assert.is(answer.headers.get('mcp-session-id'), null);
  assert.is(sessions.size(), 0);
});

onBothLegs(test, 'what the client declared is kept with the session', async ({ fetch, sessions }) => {
  const message = initializeMessage('2025-11-25');
  const capabilities = { sampling: {}, elicitation: { form: {}, url: {} }, unheard: { of: 1 } };

  const answer = await post(fetch, { ...message, params: { ...(message.params as object), capabilities } });

  const session = await sessions.find(answer.headers.get('mcp-session-id') ?? '');
  assert.is(session?.group, 'svc-global');
  assert.is(session?.protocolVersion, '2025-11-25');
  assert.equal(session?.clientCapabilities, capabilities);
  assert.equal(session?.clientInfo, { name: 'test', version: '1' });
});

onBothLegs(
  test,
  'while the database is away, initialize is 503 with Retry-After',
  async ({ fetch, logged }) => {
    const answer = await post(fetch, initializeMessage());

    assert.is(answer.status, 503);
    assert.ok(Number(answer.headers.get('retry-after')) > 0);
    assert.equal([answer.body.id, answer.body.error.code], [0, -32603]);
    assert.is(answer.body.error.data.code, 'database_unavailable');
    assert.equal(
      logged.filter(({ level }) => level === 'error'),
      [],
    );
  },
  { sessions: sessionsWithoutDatabase() },
);

onBothLegs(test, 'until groups and catalogue were loaded the endpoint is 503', async (leg) => {
  leg.groups.setLoaded(false);
  const withoutGroups = await post(leg.fetch, initializeMessage());
  leg.groups.setLoaded(true);
  leg.catalog.setLoaded(false);
  const withoutCatalog = await post(leg.fetch, initializeMessage());
  leg.catalog.setLoaded(true);
  const ready = await post(leg.fetch, initializeMessage());

  assert.equal([withoutGroups.status, withoutCatalog.status, ready.status], [503, 503, 200]);
  assert.is(withoutGroups.body.error.data.code, 'database_unavailable');
});

function sessionsWithoutDatabase() {
  const bus = { publish() {}, subscribe: () => () => {}, onGap: () => () => {} };
  const sessions = createMemorySessions({ bus, newId: () => 'x', now: () => 0, ttlSeconds: 1 });
  return {
    ...sessions,
    create: () => Promise.reject(databaseUnavailable(new Error('connect ECONNREFUSED'))),
  };
}

onBothLegs(test, 'initialize refuses client capabilities too large to be kept', async ({ fetch }) => {
  const clientInfo = { name: 'test', version: '1' };
  const capabilities = { experimental: { blob: 'ü'.repeat(2_048) } };
  const params = { protocolVersion: '2025-03-26', capabilities, clientInfo };

  const { status, body } = await post(fetch, request(1, 'initialize', params));

  assert.is(status, 200);
  assert.is(body.error.code, -32602);
  assert.match(body.error.message, /at most 4096 bytes/);
});

test.run();
