import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileUriTemplate, literalLength } from '../../../lib/mcp/views/uri-template.ts';

const test = suite('URI templates');

function matches(template: string, uri: string): boolean {
  return compileUriTemplate(template)(uri);
}

test('a variable stands for one segment, and for something', () => {
  const template = 'demo://item/{id}/text';

  assert.ok(matches(template, 'demo://item/7/text'));
  assert.ok(matches(template, 'demo://item/a%20b,c/text'));
  assert.not.ok(matches(template, 'demo://item//text'));
  assert.not.ok(matches(template, 'demo://item/7/8/text'));
  assert.not.ok(matches(template, 'demo://item/7/text/more'));
  assert.not.ok(matches(template, 'demo://other/7/text'));
});

test('a reserved expansion reaches over segments', () => {
  assert.ok(matches('file:///{+path}', 'file:///a/b/c.txt'));
  assert.ok(matches('file:///{+path}/x{id}', 'file:///a/xb/xc'));
  assert.not.ok(matches('file:///{+path}', 'file:///'));
});

test('path, query, label and fragment expansions may be missing', () => {
  for (const [template, with_, without] of [
    ['a://b{/c,d}', 'a://b/1/2', 'a://b'],
    ['a://b{?c,d}', 'a://b?c=1&d=2', 'a://b'],
    ['a://b?x=1{&c}', 'a://b?x=1&c=/2', 'a://b?x=1'],
    ['a://b{.c}', 'a://b.txt', 'a://b'],
    ['a://b{;c}', 'a://b;c=1', 'a://b'],
    ['a://b{#c}', 'a://b#1/2?3', 'a://b'],
  ] as const) {
    assert.ok(matches(template, with_), with_);
    assert.ok(matches(template, without), without);
    assert.not.ok(matches(template, `${without}zz`), template);
  }
});

test('marks of patterns in a template mean themselves, and an open brace too', () => {
  assert.ok(matches('a://(.*)+[x]?/{id}', 'a://(.*)+[x]?/1'));
  assert.not.ok(matches('a://.*', 'a://anything'));
  assert.ok(matches('a://{broken', 'a://{broken'));
});

test('a template of many variables costs no power of the length', () => {
  const template = `a://${'{a}'.repeat(30)}!`;
  const startedAt = performance.now();

  assert.not.ok(matches(template, `a://${'x'.repeat(8_000)}`));
  assert.ok(performance.now() - startedAt < 1_000);
});

test('the more of a template is its own text, the more specific it is', () => {
  assert.equal(
    ['{+any}', 'a{?b,c}', 'demo://item/{id}', 'demo://item/{id}/text', 'demo://'].map(literalLength),
    [0, 1, 12, 17, 7],
  );
});

test.run();
