import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createElicitations } from '../../../lib/upstreams/multiplexer/elicitations.ts';

const test = suite('elicitations by address');
const call = { isRelayed: true, sessionId: 's', clientChannel: undefined };
const named = (elicitationId: string) => JSON.stringify({ elicitationId });
const done = (elicitationId: string) => `{"params":${named(elicitationId)}}`;

test('who was asked is remembered, but not by an id of any length', () => {
  const elicitations = createElicitations();
  const long = 'x'.repeat(100_000);
  elicitations.recordRequest(named('e1'), call);
  elicitations.recordRequest(named(long), call);

  assert.is(elicitations.find(done('e1')), call);
  assert.is(elicitations.find(done(long)), undefined);
});

test('only the last thousand are remembered', () => {
  const elicitations = createElicitations();
  for (let at = 0; at <= 1_000; at++) elicitations.recordRequest(named(`e${at}`), call);

  assert.is(elicitations.find(done('e0')), undefined);
  assert.is(elicitations.find(done('e1')), call);
});

test.run();
