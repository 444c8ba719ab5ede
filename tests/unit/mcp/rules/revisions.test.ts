import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readSettings } from '../../../../lib/settings/settings.ts';
import { initializeMessage, openSession, post, request } from '../../../support/mcp-exchange.ts';
import { onBothLegs } from '../../../support/two-legs.ts';

const test = suite('rules of revisions and transport');

test('rule 13: without a setting we listen on this machine only', () => {
  assert.is(readSettings({}).host, '127.0.0.1');
});

onBothLegs(test, 'rule 16: initialize never leads to 2026-07-28', async ({ fetch }) => {
  const { status, body } = await post(fetch, initializeMessage('2026-07-28'));

  assert.equal([status, body.result.protocolVersion], [200, '2025-11-25']);
});

onBothLegs(test, 'rule 17: the revisions of 2024 are served by the same envelope', async ({ fetch }) => {
  for (const version of ['2024-10-07', '2024-11-05']) {
    const session = await openSession(fetch, version);

    const { body } = await post(fetch, request(1, 'tools/call', { name: 'demo__echo' }), session);

    assert.equal(body.result.content, []);
  }
});

onBothLegs(test, 'rule 23: a known version other than the session’s is accepted', async ({ fetch }) => {
  const session = await openSession(fetch, '2025-11-25');

  const headers = { ...session, 'MCP-Protocol-Version': '2025-06-18' };
  const { status, body } = await post(fetch, request(1, 'ping'), headers);

  assert.equal([status, body.result], [200, {}]);
});

onBothLegs(test, 'an unknown method is 200 with -32601 and its id', async ({ fetch }) => {
  const session = await openSession(fetch);

  for (const method of ['no/such', 'server/discover', 'tools/calls', '__proto__']) {
    const { status, body } = await post(fetch, request('m', method), session);

    assert.equal([status, body.id, body.error.code], [200, 'm', -32601]);
  }
});

test.run();
