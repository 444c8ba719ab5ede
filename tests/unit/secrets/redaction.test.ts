import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRedaction } from '../../../lib/secrets/redaction.ts';

const test = suite('redaction');

function blotted(values: readonly string[], text: string): string {
  const redaction = createRedaction();
  redaction.hide(values);
  return redaction.apply(text);
}

test('a value disappears wherever it stands', () => {
  assert.is(blotted(['hunter2'], 'hunter2 or "hunter2"'), '*** or "***"');
});

test('a value is found as JSON writes it', () => {
  const value = 'say "hi" \\ there\n';

  assert.is(blotted([value], JSON.stringify({ PASSWORD: value })), '{"PASSWORD":"***"}');
});

test('a value is found as others quote it: without its scheme, in one line, in an address', () => {
  assert.is(blotted(['Bearer abc-123'], 'Invalid token: abc-123'), 'Invalid token: ***');
  assert.is(blotted(['two  words\n'], 'Not two words'), 'Not ***');
  assert.is(blotted(['a/b c+d'], 'GET /mcp?key=a%2Fb%20c%2Bd'), 'GET /mcp?key=***');
  assert.is(blotted(['Bearer abc'], 'abc'), 'abc');
});

test('a value of several lines is found line by line, and its short lines are left alone', () => {
  const value = '-----BEGIN KEY-----\r\n  secret-line-one\n}\n';

  assert.is(blotted([value], 'got secret-line-one }'), 'got *** }');
  assert.is(blotted([value], '-----BEGIN KEY-----'), '***');
});

test('a value that is the beginning of another does not uncover the rest of it', () => {
  assert.is(blotted(['pass', 'password-1'], 'password-1 pass'), '*** ***');
});

test('what is too short to be a secret stays', () => {
  assert.is(blotted(['on', 'yes'], 'yes, it is on'), 'yes, it is on');
});

test('values add up', () => {
  const redaction = createRedaction();
  redaction.hide(['first']);
  redaction.hide(['second-one']);

  assert.is(redaction.apply('first second-one'), '*** ***');
  assert.is(redaction.longest(), 'second-one'.length);
});

test.run();
