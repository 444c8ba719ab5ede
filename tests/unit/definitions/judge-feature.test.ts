import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type FeatureKind, judgeFeature } from '../../../lib/definitions/judge-feature.ts';

const test = suite('judging prompts, resources and templates');

const judged: readonly (readonly [FeatureKind, string, string, ...string[]])[] = [
  [
    'prompts',
    '{"name":"x","title":null,"arguments":[{"name":"a","required":"yes"},{"description":"no name"}]}',
    '{"name":"x","arguments":[{"name":"a"}]}',
    'The prompt "x": its title is null and was left out.',
    'The prompt "x": its arguments[0].required is a string, not true or false and was left out.',
    'The prompt "x": its arguments[1] has no name and was left out.',
  ],
  [
    'prompts',
    '{"name":"x","arguments":{}}',
    '{"name":"x"}',
    'The prompt "x": its arguments is an object, not a list and was left out.',
  ],
  [
    'resources',
    '{"uri":"a:b","name":null,"size":1.5}',
    '{"uri":"a:b","name":"a:b"}',
    'The resource "a:b": its name is null and is shown as its uri.',
    'The resource "a:b": its size is a number, not a whole number and was left out.',
  ],
  [
    'resources',
    '{"uri":"a:b","name":"n","annotations":{"audience":["user","robot"],"priority":2,"lastModified":"2025-02-30T00:00:00Z"}}',
    '{"uri":"a:b","name":"n","annotations":{"audience":["user"]}}',
    'The resource "a:b": its annotations.audience[1] is none of "user", "assistant" and was left out.',
    'The resource "a:b": its annotations.priority is no number between 0 and 1 and was left out.',
    'The resource "a:b": its annotations.lastModified is no date and time with its zone (ISO 8601) and was left out.',
  ],
  [
    'templates',
    '{"uriTemplate":"a:{b}"}',
    '{"name":"a:{b}","uriTemplate":"a:{b}"}',
    'The resource template "a:{b}": its name is missing and is shown as its uriTemplate.',
  ],
];

for (const [kind, definition, shown, ...problems] of judged) {
  test(`${definition} is shown as ${shown}`, () => {
    assert.equal(judgeFeature(kind, definition), { shown, problems });
  });
}

/** As pydantic's AnyUrl has them, in the official Python client 1.30. */
const uris = [
  'a:b',
  'file:///a b',
  'urn:x',
  'c:\\x',
  'http:x',
  'foo://a%zz/',
  'A:b',
  ' a:b',
  'note://日本/',
  'about:blank',
];
const noUris = [
  'x',
  '/x',
  '//x/y',
  'http://',
  'http://[::1',
  'http://a b/',
  'http://a:99999/',
  '1a:b',
  'foo://bar baz/',
];

test('a resource is left out when the official Python client reads no URI in its own', () => {
  const isShown = (uri: string) => !judgeFeature('resources', JSON.stringify({ uri, name: 'n' })).leftOut;

  assert.equal(
    uris.filter((uri) => !isShown(uri)),
    [],
  );
  assert.equal(noUris.filter(isShown), []);
});

test.run();
