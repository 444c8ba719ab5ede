/** The page is checked with the types of the sources (CONTRIBUTING.md, The page): nothing in it is of any type. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listFiles, readText } from '../../support/source-files.ts';

const test = suite('types of the page');
const scripts = listFiles().filter((path) => /^static\/.*\.(js|mts)$/.test(path));

/** `any` where a type can stand: before what closes or goes on with one. In prose it counts, too. */
function anyTypesIn(text: string): number {
  return [...text.matchAll(/\bany\b(?=[\s,)}>|[\]])/g)].length;
}

test('every script of the page is checked, and none says `any` or looks away', () => {
  const wrong = scripts.filter((path) => {
    const text = readText(path);
    const isChecked = path.endsWith('.mts') || text.startsWith('// @ts-check\n');
    return (
      !isChecked ||
      anyTypesIn(text) > 0 ||
      /@ts-(?:ignore|expect-error|nocheck)|\{\*\}|@type \{\?\}/.test(text)
    );
  });

  assert.ok(scripts.length > 80);
  assert.equal(wrong, []);
});

test('`any` is found in every place of a type', () => {
  for (const type of [
    '{any}',
    '{any[]}',
    'Record<string, any>',
    '(a: any) => x',
    '{ a?: any, b: b }',
    'any | b',
  ]) {
    assert.is(anyTypesIn(`/** @type ${type} */`), 1, type);
  }
  assert.is(anyTypesIn("step='any' anything"), 0);
});

test.run();
