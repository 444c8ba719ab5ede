import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isImageAllowed, isImageReference } from '../../../lib/config/image-reference.ts';

const test = suite('image references');

test('names with host, port, path, tag and digest are references', () => {
  assert.ok(isImageReference('alpine'));
  assert.ok(isImageReference('mcp/echo:1'));
  assert.ok(isImageReference('localhost:5000/team/a_b__c-d:v1.2_3'));
  assert.ok(isImageReference(`ghcr.io/x/y:1@sha256:${'a'.repeat(64)}`));
});

test('flags, queries, spaces, empty parts and bad digests are not', () => {
  assert.not(isImageReference('--privileged'));
  assert.not(isImageReference('a b:c'));
  assert.not(isImageReference('a:'));
  assert.not(isImageReference(':1'));
  assert.not(isImageReference('a@sha256:zz'));
  assert.not(isImageReference('a&fromSrc=http://evil.example'));
  assert.not(isImageReference('../images'));
  assert.not(isImageReference('a//b'));
  assert.not(isImageReference(''));
  assert.not(isImageReference('a\nb'));
});

test('a hostile name is refused at once', () => {
  const startedAt = performance.now();

  assert.not(isImageReference(`${'a-'.repeat(199)}!`));
  assert.not(isImageReference('a'.repeat(1_000_000)));

  assert.ok(performance.now() - startedAt < 100);
});

test('without patterns every image is allowed', () => {
  assert.ok(isImageAllowed('evil.example/x:1', []));
});

test('a star stands for a name, not for a path', () => {
  assert.ok(isImageAllowed('mcp/echo:1', ['mcp/*']));
  assert.not(isImageAllowed('mcp/deep/echo:1', ['mcp/*']));
  assert.not(isImageAllowed('evil.example/mcp/echo', ['mcp/*']));
  assert.not(isImageAllowed('evil.example/backdoor:latest', ['mcp/*']));
});

test('a pattern without a tag allows every tag, one with a tag only that', () => {
  assert.ok(isImageAllowed('mcp/echo:7', ['mcp/echo']));
  assert.not(isImageAllowed('mcp/echo:7', ['mcp/echo:1']));
  assert.not(isImageAllowed('mcp/echo2', ['mcp/echo']));
});

test('the default registry may be written or left out', () => {
  assert.ok(isImageAllowed('docker.io/mcp/echo:1', ['mcp/*']));
  assert.ok(isImageAllowed('alpine', ['docker.io/library/alpine']));
});

test('letters of a pattern that mean something elsewhere mean themselves', () => {
  assert.not(isImageAllowed('mcpXio/a', ['mcp.io/a']));
});

test.run();
