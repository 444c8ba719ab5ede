import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { engineUnavailable, pullProblem } from '../../../lib/containers/engine-failures.ts';

/** The texts are those that engines were seen to send (docker.md section 3). */
const test = suite('what a failed pull means');

const image = 'registry.example/tool:1';
const before = (text: string) => pullProblem(image, text, false);

test('an unknown tag or repository is the asker’s mistake', () => {
  const { failure, isUnreachable } = before(
    'manifest for registry.example/tool:1 not found: manifest unknown: manifest unknown',
  );

  assert.is(failure.status, 422);
  assert.is(failure.code, 'provision_failed');
  assert.equal(failure.details, { step: 'pull' });
  assert.is(failure.message, 'The image `registry.example/tool:1` was not found in its registry.');
  assert.not(isUnreachable);
});

test('a registry that wants credentials or forbids is named as refusing', () => {
  for (const text of [
    'no basic auth credentials',
    'denied: requested access to the resource is denied',
    'unauthorized',
  ]) {
    assert.is(before(text).failure.status, 502);
    assert.match(before(text).failure.message, 'its registry refuses access');
    assert.not(before(text).isUnreachable);
  }
});

test('a registry that will not tell unknown from forbidden is quoted with both', () => {
  const text = 'pull access denied for tool, repository does not exist or may require docker login';

  assert.is(before(text).failure.status, 502);
  assert.match(before(text).failure.message, 'does not have it, or refuses access');
});

test('a registry that cannot be reached is told from one that answers', () => {
  for (const text of [
    'Get "http://127.0.0.1:5999/v2/": dial tcp 127.0.0.1:5999: connect: connection refused',
    'Get "https://nosuch.invalid/v2/": dial tcp: lookup nosuch.invalid: no such host',
    'net/http: request canceled while waiting for connection (Client.Timeout exceeded while awaiting headers)',
  ]) {
    assert.is(before(text).failure.status, 502);
    assert.match(before(text).failure.message, 'cannot be reached');
    assert.ok(before(text).isUnreachable);
  }
});

test('a registry that counts its callers says so', () => {
  assert.match(
    before('toomanyrequests: You have reached your pull rate limit').failure.message,
    'limits how often',
  );
});

test('what is not found once the pull is under way is the registry’s fault', () => {
  const { failure } = pullProblem(image, 'error pulling image configuration: blob unknown, not found', true);

  assert.is(failure.status, 502);
  assert.match(failure.message, 'broke off midway');
});

test('the engine’s own words are kept for the log and shown to nobody', () => {
  const { failure } = before('dial tcp 10.1.2.3:443: connect: connection refused');

  assert.is(failure.cause, 'dial tcp 10.1.2.3:443: connect: connection refused');
  assert.not.match(failure.message, '10.1.2.3');
});

test('an engine that is away is 503', () => {
  assert.is(engineUnavailable().status, 503);
  assert.equal(engineUnavailable().details, { step: 'engine' });
});

test.run();
