import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readCapabilities } from '../../../lib/catalog/features.ts';
import { createSessionPreferences } from '../../../lib/upstreams/sessions/session-preferences.ts';
import { createConnectionUsers } from '../../../lib/upstreams/sessions/sharing.ts';

const test = suite('what a server has to know apart from calls');

function setUp(isAsking: boolean) {
  const users = createConnectionUsers(undefined);
  const multiplexer = { isAsking, users, ask: async () => ({ result: '{}' }), notify: async () => {} };
  const capabilities = readCapabilities('{}');
  const noPreferences = { logLevel: () => undefined, subscriptions: undefined, waitMs: 1 };
  const live = () => ({ multiplexer, capabilities, declaresRoots: false });
  return createSessionPreferences({ live, ...noPreferences });
}

test('a server that waits for the answer of a client is not idle', () => {
  assert.is(setUp(true).keepAwake(), true);
  assert.is(setUp(false).keepAwake(), false);
});

test.run();
