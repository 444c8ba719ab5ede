import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLocalBus } from '../../../lib/events/local-bus.ts';
import { databaseUnavailable } from '../../../lib/failure.ts';
import { silentLog } from '../../../lib/log.ts';
import { sessionTtlSeconds } from '../../support/gateway-fixture.ts';
import { both, endpoint, openReader, openSession, post, read, request } from '../../support/mcp-exchange.ts';
import { createMemorySessions } from '../../support/memory-sessions.ts';
import { onBothLegs } from '../../support/two-legs.ts';

const test = suite('MCP sessions');
const other = '/v0/groups/other/mcp';

onBothLegs(test, 'rule 19: a call without a session id is 400', async ({ fetch }) => {
  const without = await post(fetch, request(1, 'tools/list'));
  const withEmpty = await post(fetch, request(1, 'tools/list'), { 'Mcp-Session-Id': '' });

  for (const answer of [without, withEmpty]) {
    assert.is(answer.status, 400);
    assert.equal([answer.body.id, answer.body.error.code], [1, -32000]);
    assert.is(answer.body.error.data.code, 'session_required');
  }
});

onBothLegs(test, 'rule 20: an id that nobody issued is 404', async ({ fetch }) => {
  const { 'Mcp-Session-Id': id } = await openSession(fetch);

  for (const unknown of [`${id}x`, id.slice(1), 'null', '%00', "' OR 1=1 --", 'A'.repeat(5000)]) {
    const answer = await post(fetch, request(2, 'tools/list'), { 'Mcp-Session-Id': unknown });

    assert.is(answer.status, 404, unknown);
    assert.equal([answer.body.id, answer.body.error.code], [2, -32001]);
  }
});

onBothLegs(test, 'rule 20: a session of another group’s endpoint is 404', async ({ fetch }) => {
  const session = await openSession(fetch);

  const answer = await post(fetch, request(1, 'tools/list'), session, other);
  const own = await post(fetch, request(1, 'tools/list'), session);

  assert.is(answer.status, 404);
  assert.is(answer.body.error.code, -32001);
  assert.is(own.status, 200);
});

onBothLegs(test, 'rule 20: another group’s session opens no stream and ends nothing', async ({ fetch }) => {
  const session = await openSession(fetch);

  const stream = await read(await fetch(other, { headers: { ...session, Accept: 'text/event-stream' } }));
  const ended = await read(await fetch(other, { method: 'DELETE', headers: session }));
  const still = await post(fetch, request(1, 'ping'), session);

  assert.equal([stream.status, ended.status, still.status], [404, 404, 200]);
});

onBothLegs(test, 'rule 20: an expired session is 404', async (leg) => {
  const session = await openSession(leg.fetch);

  leg.passSeconds(sessionTtlSeconds - 1);
  const used = await post(leg.fetch, request(1, 'ping'), session);
  leg.passSeconds(sessionTtlSeconds - 1);
  const usedAgain = await post(leg.fetch, request(2, 'ping'), session);
  leg.passSeconds(sessionTtlSeconds + 1);
  const tooLate = await post(leg.fetch, request(3, 'ping'), session);

  assert.equal([used.status, usedAgain.status, tooLate.status], [200, 200, 404]);
  assert.is(tooLate.body.error.code, -32001);
});

onBothLegs(test, 'rule 20: a deleted group is 404 for its sessions until it is back', async (leg) => {
  const session = await openSession(leg.fetch);

  leg.groups.forget('svc-global');
  const gone = await post(leg.fetch, request(1, 'tools/list'), session);
  leg.groups.write('svc-global', ['demo__add']);
  const back = await post(leg.fetch, request(2, 'tools/list'), session);

  assert.is(gone.status, 404);
  assert.is(gone.body.error.data.code, 'group_not_found');
  assert.is(back.body.result.tools[0].name, 'demo__add');
});

onBothLegs(test, 'rule 21: DELETE ends the session, and afterwards its id is 404', async (leg) => {
  const session = await openSession(leg.fetch);

  const ended = await leg.fetch(endpoint, { method: 'DELETE', headers: session });
  const after = await post(leg.fetch, request(1, 'ping'), session);
  const again = await leg.fetch(endpoint, { method: 'DELETE', headers: session });

  assert.is(ended.status, 204);
  assert.is(after.status, 404);
  assert.is(again.status, 404);
  assert.equal(leg.upstreams.endedSessions, [session['Mcp-Session-Id']]);
});

onBothLegs(test, 'rule 21: DELETE without a session id is 400', async ({ fetch }) => {
  const answer = await read(await fetch(endpoint, { method: 'DELETE' }));

  assert.is(answer.status, 400);
  assert.is(answer.body.error.data.code, 'session_required');
});

onBothLegs(test, 'rule 21: the end of a session closes its stream and ends its calls', async (leg) => {
  const session = await openSession(leg.fetch);
  const stream = await leg.fetch(endpoint, { headers: { ...session, Accept: 'text/event-stream' } });
  const reader = openReader(stream);
  await reader.next();
  leg.upstreams.answerWith(() => new Promise(() => {}));
  const call = post(leg.fetch, request(1, 'tools/call', { name: 'demo__echo' }), { ...session, ...both });
  while (leg.upstreams.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));

  await leg.fetch(endpoint, { method: 'DELETE', headers: session });

  assert.is(await reader.next(), 'closed');
  assert.is((await call).status, 202);
  assert.is(leg.upstreams.calls[0]?.signal.aborted, true);
  assert.is(leg.streams.count(), 0);
  assert.is(leg.calls.count(), 0);
});

onBothLegs(test, 'an unknown group is 404, with or without a session', async ({ fetch }) => {
  const session = await openSession(fetch);

  for (const name of ['nobody', '__proto__', 'SVC-GLOBAL', '..%2f..%2fetc%2fpasswd', '%20', '.hidden']) {
    const answer = await post(fetch, request(6, 'tools/list'), session, `/v0/groups/${name}/mcp`);

    assert.is(answer.status, 404, name);
    assert.equal([answer.body.id, answer.body.error.data.code], [6, 'group_not_found']);
  }
});

onBothLegs(test, 'a group whose name is broken percent-encoding is none: 404', async ({ fetch }) => {
  const answer = await post(fetch, request(1, 'ping'), {}, '/v0/groups/%E0%A4%A/mcp');

  assert.is(answer.status, 404);
  assert.is(answer.body.error.data.code, 'group_not_found');
});

onBothLegs(test, 'a group that was never readable is 404 and says why', async ({ fetch, groups }) => {
  groups.breakFile('broken', 'The file is not valid JSON.');

  const answer = await post(fetch, request(1, 'ping'), {}, '/v0/groups/broken/mcp');

  assert.is(answer.status, 404);
  assert.match(answer.body.error.message, 'The file is not valid JSON.');
});

onBothLegs(test, 'a broken group file keeps its last good version for its sessions', async (leg) => {
  const session = await openSession(leg.fetch);

  leg.groups.breakFile('svc-global', 'The file is not valid JSON.');
  const answer = await post(leg.fetch, request(1, 'tools/list'), session);

  assert.is(answer.body.result.tools.length, 2);
});

onBothLegs(test, '/mcp is the default group’s endpoint', async ({ fetch }) => {
  const session = await openSession(fetch, '2025-06-18', '/mcp');

  const short = await post(fetch, request(1, 'tools/list'), session, '/mcp');
  const long = await post(fetch, request(1, 'tools/list'), session);
  const ended = await fetch('/mcp', { method: 'DELETE', headers: session });

  assert.is(short.status, 200);
  assert.is(short.text, long.text);
  assert.is(ended.status, 204);
});

onBothLegs(
  test,
  'a session that must be read while the database is away is 503, not gone',
  async ({ fetch }) => {
    const answer = await post(fetch, request(1, 'ping'), { 'Mcp-Session-Id': 'x'.repeat(32) });

    assert.is(answer.status, 503);
    assert.ok(answer.headers.get('retry-after'));
    assert.is(answer.body.error.data.code, 'database_unavailable');
  },
  { sessions: sessionsWithoutDatabase() },
);

function sessionsWithoutDatabase() {
  const bus = createLocalBus({ log: silentLog });
  const sessions = createMemorySessions({ bus, newId: () => 'x', now: () => 0, ttlSeconds: 1 });
  return { ...sessions, find: () => Promise.reject(databaseUnavailable()) };
}

test.run();
