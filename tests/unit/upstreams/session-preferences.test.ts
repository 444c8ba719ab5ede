import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Connection } from '../../../lib/upstreams/connection/connect.ts';
import { createSessionPreferences } from '../../../lib/upstreams/sessions/session-preferences.ts';

const test = suite('what a server has to know apart from calls');

function setUp(isAsking: boolean) {
  const connection = { multiplexer: { isAsking } } as unknown as Connection;
  const noWishes = { logLevel: () => undefined, subscriptions: undefined, waitMs: 1 };
  return createSessionPreferences({ live: () => connection, ...noWishes });
}

test('a server that waits for the answer of a client is not idle', () => {
  assert.is(setUp(true).keepAwake(), true);
  assert.is(setUp(false).keepAwake(), false);
});

test.run();
