import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { endOfString, maxJsonDepth, maxJsonTokens, parseJson } from '../../../lib/json/parse-json.ts';
import { openSession, post } from '../../support/mcp-exchange.ts';
import { onBothLegs } from '../../support/two-legs.ts';

const test = suite('JSON limits');

function codeOf(text: string): string | undefined {
  try {
    parseJson(text);
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

test('64 levels are read, 65 are refused', () => {
  assert.is(codeOf('['.repeat(maxJsonDepth) + ']'.repeat(maxJsonDepth)), undefined);
  assert.is(codeOf('['.repeat(maxJsonDepth + 1) + ']'.repeat(maxJsonDepth + 1)), 'invalid_request');
  assert.is(codeOf(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`), 'invalid_request');
});

test('levels are counted, not brackets: many shallow ones are fine', () => {
  assert.is(codeOf(`[${'[],'.repeat(1000)}[]]`), undefined);
});

test('brackets, commas and colons within strings count for nothing', () => {
  const text = JSON.stringify({ text: '[{,:"\\'.repeat(100_000) });

  assert.is(codeOf(text), undefined);
});

test('too many elements are refused before they are parsed', () => {
  const keys = Array.from({ length: 300_000 }, (_, key) => `"k${key}":1`).join(',');
  const startedAt = performance.now();

  assert.is(codeOf(`{${keys}}`), 'invalid_request');
  assert.ok(performance.now() - startedAt < 250);
  assert.is(codeOf(`[${'1,'.repeat(maxJsonTokens - 2)}1]`), undefined);
  assert.is(codeOf(`[${'1,'.repeat(maxJsonTokens)}1]`), 'invalid_request');
});

test('what is not JSON is a parse error, whatever is open at its end', () => {
  for (const text of [
    '',
    ' ',
    '{',
    '"',
    '"\\',
    '"\\"',
    '[1',
    ']',
    '}}}',
    '{"a"',
    'nul',
    '\u0000',
    "{'a':1}",
  ]) {
    assert.is(codeOf(text), 'parse_error', text);
  }
});

test('a text with hostile quoting costs no more than its length', () => {
  const startedAt = performance.now();

  assert.is(codeOf(`"${'\\'.repeat(2_000_000)}`), 'parse_error');
  assert.is(codeOf(`"${'\\"'.repeat(1_000_000)}"`), undefined);
  assert.is(codeOf('"'.repeat(1_000_001)), 'parse_error');

  assert.ok(performance.now() - startedAt < 500);
});

test('a number of 100,000 digits is harmless', () => {
  assert.is(codeOf('9'.repeat(100_000)), undefined);
});

test('every JSON value within the limits is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 20 }), (text) => {
      assert.equal(parseJson(text), JSON.parse(text));
    }),
    { numRuns: 200 },
  );
});

test('a string ends where JSON says, whatever is in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', '\\', 'a', '{', 'é', '\n') }), (value) => {
      const text = JSON.stringify(value);
      assert.is(endOfString(`${text} "tail"`, 0), text.length - 1);
    }),
    { numRuns: 200 },
  );
});

onBothLegs(
  test,
  'JSON that nests or branches too much is 400 and -32600',
  async ({ fetch }) => {
    const session = await openSession(fetch);
    const around = (value: string) => `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${value}}}`;

    const deep = await post(fetch, around('['.repeat(5000) + ']'.repeat(5000)), session);
    const wide = await post(fetch, around(`[${'0,'.repeat(maxJsonTokens)}0]`), session);

    for (const answer of [deep, wide]) {
      assert.is(answer.status, 400);
      assert.equal([answer.body.id, answer.body.error.code], [null, -32600]);
    }
  },
  { maxBodyBytes: 1_000_000 },
);

test.run();
