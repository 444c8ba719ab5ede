import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createManagerFixture } from './manager-fixture.ts';

const test = suite('POST /api/servers/provision');

const path = '/api/servers/provision';
const good = {
  name: 't1',
  image: 'mcp/echo:1',
  command: ['--x'],
  env_vars: { TOKEN: 'v' },
  description: 'd',
};

/** `400 invalid_params`, for `good` with these changes. */
async function answerTo(
  changes: Record<string, unknown>,
  allowedImages: readonly string[] = ['mcp/*'],
): Promise<string> {
  const { status, body } = await createManagerFixture({ allowedImages }).call('POST', path, {
    ...good,
    ...changes,
  });
  return `${status} ${body.code}`;
}

test('a valid request ends at the engine that is not there', async () => {
  const { status, body } = await createManagerFixture().call('POST', path, good);

  assert.is(status, 503);
  assert.is(body.success, false);
  assert.is(body.code, 'provision_failed');
  assert.equal(body.details, { step: 'engine', undone: true });
});

test('name and image are required', async () => {
  assert.is(await answerTo({ name: undefined }), '400 invalid_params');
  assert.is(await answerTo({ image: undefined }), '400 invalid_params');
});

test('fields of another type are refused', async () => {
  assert.is(await answerTo({ name: 5 }), '400 invalid_params');
  assert.is(await answerTo({ command: 'a b' }), '400 invalid_params');
  assert.is(await answerTo({ env_vars: [] }), '400 invalid_params');
  assert.is(await answerTo({ env_vars: { A: 1 } }), '400 invalid_params');
  assert.is(await answerTo({ description: 5 }), '400 invalid_params');
});

test('names that are no server names are refused', async () => {
  assert.is(await answerTo({ name: 'a__b' }), '400 invalid_params');
  assert.is(await answerTo({ name: 'a\r\nb' }), '400 invalid_params');
  assert.is(await answerTo({ name: 'аdmin' }), '400 invalid_params');
  assert.is(await answerTo({ name: '-rf' }), '400 invalid_params');
});

test('what is no image reference is refused', async () => {
  assert.is(await answerTo({ image: '--privileged' }), '400 invalid_params');
  assert.is(await answerTo({ image: 'a&fromSrc=http://evil.example' }), '400 invalid_params');
});

test('an image outside the allow-list is image_not_allowed', async () => {
  assert.is(await answerTo({ image: 'evil.example/backdoor:latest' }), '403 image_not_allowed');
  assert.is(await answerTo({ image: 'evil.example/backdoor:latest' }, []), '503 provision_failed');
});

test('fields that would open the host are unknown', async () => {
  assert.is(await answerTo({ hostConfig: { Binds: ['/:/host'] } }), '400 invalid_params');
  assert.is(await answerTo({ network_mode: 'host' }), '400 invalid_params');
});

test('variable names are checked, prototype keys too', async () => {
  assert.is(await answerTo({ env_vars: { 'A=B': 'x' } }), '400 invalid_params');
  const { status } = await createManagerFixture().call(
    'POST',
    path,
    '{"name":"t1","image":"a:1","env_vars":{"__proto__":"x"}}',
  );
  assert.is(status, 400);
});

test('a port belongs to HTTP images and only to them', async () => {
  assert.is(await answerTo({ transport: 'streamable_http' }), '400 invalid_params');
  assert.is(await answerTo({ transport: 'streamable_http', port: 80, path: '/mcp' }), '503 provision_failed');
  assert.is(await answerTo({ port: 80 }), '400 invalid_params');
  assert.is(await answerTo({ transport: 'streamable_http', port: 0 }), '400 invalid_params');
});

test('a name that is registered is a conflict', async () => {
  const fixture = createManagerFixture();
  fixture.catalog.offer('t1', ['echo']);

  const { status, body } = await fixture.call('POST', path, good);

  assert.is(`${status} ${body.code}`, '409 conflict');
});

test('other media types, broken JSON and huge bodies are refused', async () => {
  const { call } = createManagerFixture();

  const plain = await call('POST', path, good, { 'Content-Type': 'text/plain; application/json' });
  const broken = await call('POST', path, '{"name":');
  const huge = await call('POST', path, { ...good, description: 'd'.repeat(1_100_000) });

  assert.is(plain.body.code, 'unsupported_media_type');
  assert.is(broken.body.code, 'parse_error');
  assert.is(huge.body.code, 'payload_too_large');
});

test('values are never repeated, neither in the answer nor in the log', async () => {
  const fixture = createManagerFixture();

  const answer = await fixture.call('POST', path, { ...good, env_vars: { TOKEN: { s: 'SECRET-CANARY-1' } } });

  assert.is(answer.status, 400);
  assert.not.match(answer.text, 'SECRET-CANARY-1');
  assert.not.match(JSON.stringify(fixture.logged), 'SECRET-CANARY-1');
});

test.run();
