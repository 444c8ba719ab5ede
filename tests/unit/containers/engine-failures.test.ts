import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FoundCredentials } from '../../../lib/containers/credentials/registry-credentials.ts';
import { engineUnavailable, pullFailure } from '../../../lib/containers/docker/engine-failures.ts';

/** The texts are those that engines were seen to send (docs/decisions/0009). */
const test = suite('what a failed pull means');

const image = 'registry.example/tool:1';
const nobody: FoundCredentials = { troubles: [] };
const somebody: FoundCredentials = { source: 'the secret `LOGIN`', troubles: [] };
const before = (text: string, credentials = nobody) =>
  pullFailure({ image, isUnderWay: false, credentials }, text);

test('an unknown tag or repository is the asker’s mistake', () => {
  const failure = before(
    'manifest for registry.example/tool:1 not found: manifest unknown: manifest unknown',
  );

  assert.is(failure.status, 422);
  assert.is(failure.code, 'provision_failed');
  assert.equal(failure.details, { step: 'pull' });
  assert.is(failure.message, 'The image `registry.example/tool:1` was not found in its registry.');
});

test('a registry that wants credentials or forbids is named as refusing', () => {
  for (const text of [
    'no basic auth credentials',
    'denied: requested access to the resource is denied',
    'unauthorized',
  ]) {
    assert.is(before(text).status, 502);
    assert.match(before(text).message, 'its registry refuses access');
  }
});

test('a registry that will not tell unknown from forbidden is quoted with both', () => {
  const text = 'pull access denied for tool, repository does not exist or may require docker login';

  assert.is(before(text).status, 502);
  assert.match(before(text).message, 'does not have it, or refuses access');
});

test('a registry that cannot be reached is told from one that answers', () => {
  for (const text of [
    'Get "http://127.0.0.1:5999/v2/": dial tcp 127.0.0.1:5999: connect: connection refused',
    'Get "https://nosuch.invalid/v2/": dial tcp: lookup nosuch.invalid: no such host',
    'net/http: request canceled while waiting for connection (Client.Timeout exceeded while awaiting headers)',
  ]) {
    assert.is(before(text).status, 502);
    assert.match(before(text).message, 'cannot be reached');
  }
});

test('a registry that counts its callers says so', () => {
  assert.match(before('toomanyrequests: You have reached your pull rate limit').message, 'limits how often');
});

test('what is not found once the pull is under way is the registry’s fault', () => {
  const text = 'error pulling image configuration: blob unknown, not found';
  const failure = pullFailure({ image, isUnderWay: true, credentials: nobody }, text);

  assert.is(failure.status, 502);
  assert.match(failure.message, 'broke off midway');
});

test('the engine’s own words are kept for the log and shown to nobody', () => {
  const failure = before('dial tcp 10.1.2.3:443: connect: connection refused');

  assert.is(failure.cause, 'dial tcp 10.1.2.3:443: connect: connection refused');
  assert.not.match(failure.message, '10.1.2.3');
});

test('a refusal without credentials says that it may be private, and where they are looked for', () => {
  const { message } = before('no basic auth credentials', {
    troubles: ['The credential helper `docker-credential-pass` is not installed where this service runs.'],
  });

  assert.is(
    message,
    'The image `registry.example/tool:1` cannot be pulled: its registry refuses access. If it is private: no credentials ' +
      'for `registry.example` were found. Give them with `docker login` to the user of this service, or as a secret that ' +
      '`REGISTRY_CREDENTIALS` names (docs/containers.md). ' +
      'The credential helper `docker-credential-pass` is not installed where this service runs.',
  );
});

test('a refusal with credentials says whose they are, and whether they or what they may do are wrong', () => {
  for (const text of [
    'unauthorized: authentication required',
    'unauthorized: incorrect username or password',
  ]) {
    assert.match(
      before(text, somebody).message,
      /cannot be pulled: its registry does not accept the credentials from the secret `LOGIN`\.$/,
    );
  }
  for (const text of [
    'denied: requested access to the resource is denied',
    'failed to resolve reference "registry.example/tool:1": unexpected status from HEAD request: 403 Forbidden',
  ]) {
    assert.match(
      before(text, somebody).message,
      /its registry refuses access with the credentials from the secret `LOGIN`\.$/,
    );
  }
});

test('a registry that the engine does not trust is told from one that is away', () => {
  const untrusted = 'Get "https://r/v2/": tls: failed to verify certificate: x509: unknown authority';
  const plain = 'Get "https://r/v2/": http: server gave HTTP response to HTTPS client';

  assert.match(before(untrusted).message, 'does not trust the certificate');
  assert.match(before(plain).message, '`insecure-registries`');
});

test('engines with containerd’s image store say the same in other words', () => {
  const resolving = (text: string) =>
    before(`failed to resolve reference "registry.example/tool:1": ${text}`).message;

  assert.match(resolving('registry.example/tool:1: not found'), 'was not found in its registry');
  assert.match(
    resolving(
      'pull access denied, repository does not exist or may require authorization: insufficient_scope',
    ),
    'does not have it, or refuses access',
  );
  assert.match(resolving('failed to authorize: unexpected status: 401 Unauthorized'), 'refuses access');
  assert.match(resolving('failed to do request: dial tcp: connect: connection refused'), 'cannot be reached');
});

test('an engine that is away is 503', () => {
  assert.is(engineUnavailable().status, 503);
  assert.equal(engineUnavailable().details, { step: 'engine' });
});

test.run();
