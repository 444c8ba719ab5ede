import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLocalBus } from '../../../lib/events/local-bus.ts';
import { silentLog } from '../../../lib/log.ts';
import { newSessionId } from '../../../lib/text/node-random-id.ts';
import {
  endpoint,
  initializeMessage,
  notification,
  openSession,
  post,
  request,
} from '../../support/mcp-exchange.ts';
import { createMemorySessions } from '../../support/memory-sessions.ts';
import { onBothLegs } from '../../support/two-legs.ts';

const test = suite('never-used sessions');

let seconds = 0;
function sessionsOf(most?: number) {
  const bus = createLocalBus({ log: silentLog });
  const now = () => seconds * 1000;
  const limits = { ttlSeconds: 3_600, unusedSeconds: 600, ...(most === undefined ? {} : { most }) };
  return createMemorySessions({ bus, newId: newSessionId, now, ...limits });
}

onBothLegs(
  test,
  'the handshake is no use of a session, anything after it is',
  async ({ fetch, sessions }) => {
    const opened = await Promise.all([1, 2, 3, 4].map(() => openSession(fetch)));
    for (const one of opened)
      assert.is((await post(fetch, notification('notifications/initialized'), one)).status, 202);
    const [unused = {}, asked = {}, listening = {}, told = {}] = opened;
    await post(fetch, request(1, 'ping'), asked);
    const stream = await fetch(endpoint, { headers: { ...listening, Accept: 'text/event-stream' } });
    await post(fetch, notification('notifications/roots/list_changed'), told);

    seconds += 601;
    await sessions.reap();

    const statuses = [];
    for (const one of [unused, asked, listening, told]) {
      statuses.push((await post(fetch, request(2, 'ping'), one)).status);
    }
    assert.equal(statuses, [404, 200, 200, 200]);
    await stream.body?.cancel();
  },
  { sessions: sessionsOf() },
);

onBothLegs(
  test,
  'one session too many is 429 with Retry-After, and those that are there go on',
  async ({ fetch, sessions }) => {
    const first = await openSession(fetch);
    await openSession(fetch);
    seconds += 2;

    const refused = await post(fetch, initializeMessage());

    assert.is(refused.status, 429);
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal([refused.body.id, refused.body.error.code], [0, -32000]);
    assert.is(refused.body.error.data.code, 'too_many_requests');
    assert.match(refused.body.error.message, /MAX_SESSIONS/);
    assert.is(refused.headers.get('mcp-session-id'), null);
    assert.is((await post(fetch, request(1, 'tools/list'), first)).status, 200);
    await fetch(endpoint, { method: 'DELETE', headers: first });
    seconds += 2;
    const next = await openSession(fetch);
    // The other leg starts from none.
    await sessions.end(next['Mcp-Session-Id']);
    seconds += 3_600;
    await sessions.reap();
    seconds += 2;
  },
  { sessions: sessionsOf(2) },
);

test.run();
