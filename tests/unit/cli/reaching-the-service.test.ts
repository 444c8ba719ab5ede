import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readCliSettings } from '../../../lib/cli/cli-settings.ts';
import { type StubService, startStubService } from './stub-service.ts';

const test = suite('gateway: reaching the service');
let service: StubService;

test.before(async () => {
  service = await startStubService();
});

test.before.each(() => {
  service.reset();
  service.answer = () => ({ body: { success: true, servers: [] } });
});

test.after(() => service.close());

test('a service that does not run is said so, with how to start it', async () => {
  const { code, stderr } = await service.run(['list', 'servers'], {
    DATA_DIR: join(service.directory, 'other'),
  });

  assert.is(code, 1);
  assert.match(stderr, /does not answer .*npm start/);
  assert.is(stderr.trim().split('\n').length, 1);
});

test('a manager that does not answer is said so, without the user info of its address', async () => {
  const { code, stderr } = await service.run([
    'list',
    'servers',
    '--manager',
    'http://me:hidden@127.0.0.1:1/',
  ]);

  assert.is(code, 1);
  assert.match(stderr, /does not answer at http:\/\/127\.0\.0\.1:1: nobody listens there/);
  assert.not.match(stderr, 'hidden');
});

test('--manager goes over the network, with the admin token', async () => {
  const { code } = await service.run(['list', 'servers', '--manager', service.url], {
    ADMIN_TOKEN: 'let-me-in',
  });

  assert.is(code, 0);
  assert.is(service.seen[0]?.headers.authorization, 'Bearer let-me-in');
});

test('--manager keeps the path of an address behind a proxy', async () => {
  await service.run(['list', 'servers', '--manager', `${service.url}/gateway-manager/`]);

  assert.is(service.seen[0]?.path, '/gateway-manager/api/servers');
});

test('a missing token is answered with the name of the setting', async () => {
  service.answer = () => ({ status: 401, body: { success: false, error: 'no' } });

  const { code, stderr } = await service.run(['list', 'servers', '--manager', service.url]);

  assert.is(code, 1);
  assert.match(stderr, /ADMIN_TOKEN/);
});

test('something else that answers there is not taken for the service', async () => {
  for (const body of ['<html>hello</html>', '[]', 'null', '{}']) {
    service.answer = () => ({ body });
    const { code, stderr } = await service.run(['list', 'servers', '--manager', service.url]);
    assert.is(code, 1, body);
    assert.match(stderr, /not one of the manager API/);
  }
});

test('a redirect is not followed, so the token stays here', async () => {
  service.answer = ({ path }) =>
    path === '/stolen'
      ? { body: { success: true, servers: [] } }
      : { status: 302, headers: { Location: '/stolen' }, body: '' };

  const { code } = await service.run(['list', 'servers', '--manager', service.url]);

  assert.is(code, 1);
  assert.is(service.seen.length, 1);
});

test('settings come from `.env`, and the environment wins', async () => {
  await service.file('.env', 'DATA_DIR=from-file\nADMIN_TOKEN="quoted token"\nGATEWAY_TOKEN=from-file\n');

  const settings = readCliSettings({ GATEWAY_TOKEN: 'from-environment' }, service.directory);

  assert.is(settings.adminSocket, join(service.directory, 'from-file', 'admin.sock'));
  assert.is(settings.adminToken, 'quoted token');
  assert.is(settings.gatewayToken, 'from-environment');
});

test('a relative data folder stays relative: socket paths are short', () => {
  assert.is(readCliSettings({}, 'nowhere').adminSocket, join('nowhere', '.data', 'admin.sock'));
  assert.is(
    readCliSettings({ DATA_DIR: '/var/lib/gateway' }, '.').adminSocket,
    '/var/lib/gateway/admin.sock',
  );
});

test.run();
