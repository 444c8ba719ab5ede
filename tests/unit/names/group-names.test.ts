import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isGroupName } from '../../../lib/names/names.ts';

const test = suite('names of groups');

test('have 1 to 64 letters, digits, dots, lines and dashes, a letter or digit first, and no two dots together', () => {
  const characters = fc.constantFrom('a', 'Z', '0', '.', '.', '_', '-', '/', 'ä', '\n');
  const texts = fc.oneof(fc.string({ unit: characters, maxLength: 8 }), fc.constant('a'.repeat(64)));

  fc.assert(
    fc.property(texts, (name) => {
      assert.is(isGroupName(name), /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) && !name.includes('..'));
    }),
    { numRuns: 2000 },
  );
  assert.not(isGroupName('a'.repeat(65)));
});

test('that are long and wrong are refused at once', () => {
  const start = performance.now();

  assert.not(isGroupName(`${'a.'.repeat(31)}a/`));
  assert.ok(performance.now() - start < 50);
});

test.run();
