import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCancellation } from '../../../lib/async/cancellation.ts';
import { createLocalBus } from '../../../lib/events/local-bus.ts';
import { silentLog } from '../../../lib/log.ts';
import { createOutsideAsker } from '../../../lib/mcp/updates/outside-asker.ts';
import { createClientRequests } from '../../../lib/sessions/client-requests/client-requests.ts';
import { createGatewayFixture } from '../../support/gateway-fixture.ts';

const test = suite('who may ask a client outside of calls');

async function setUp() {
  const { context, groups, sessions } = createGatewayFixture();
  const sent: string[] = [];
  const requests = createClientRequests({ bus: createLocalBus({ log: silentLog }), newId: () => 'id-1' });
  const session = await sessions.create({
    group: 'svc-global',
    protocolVersion: '2025-11-25',
    clientCapabilities: { roots: {} },
    clientInfo: {},
  });
  const ask = createOutsideAsker({
    requests,
    sessions,
    views: context.endpoint.views,
    streams: {
      sendToListener(_, message) {
        sent.push(message);
        return true;
      },
    },
  });
  const question = (fields: { server?: string; sessionId?: string } = {}) =>
    ask({
      ...{ server: 'demo', sessionId: session.id, method: 'roots/list', params: '{}', unreadMs: 1 },
      signal: createCancellation().signal,
      ...fields,
    });
  const close = () => requests.close();
  return { question, sent, groups, sessions, session, close };
}

test('a server that the session’s group shows, as long as it does', async () => {
  const { question, sent, groups, close } = await setUp();
  void question();
  await new Promise((resolve) => setImmediate(resolve));
  assert.is(sent.length, 1);

  groups.write('svc-global', []);
  const answer = await question();

  assert.match('error' in answer ? answer.error : '', 'cannot be asked');
  assert.is(sent.length, 1);
  close();
});

test('no server that it never showed, and none of a session that has ended', async () => {
  const { question, sent, sessions, session, close } = await setUp();

  const others = await question({ server: 'other' });
  await sessions.end(session.id);
  const ended = await question();

  for (const answer of [others, ended]) assert.is('error' in answer && JSON.parse(answer.error).code, -32601);
  assert.equal(sent, []);
  close();
});

test.run();
