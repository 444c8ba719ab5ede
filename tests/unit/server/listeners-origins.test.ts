import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Listeners, openListeners } from '../../../lib/server/listeners/node-listeners.ts';
import { readSettings } from '../../../lib/settings/settings.ts';

const test = suite('doors: pages of other names');
let directory: string;
let listeners: Listeners;

test.before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'doors-'));
  listeners = await openListeners(
    readSettings({
      DATA_DIR: directory,
      MANAGER_PORT: '0',
      GATEWAY_PORT: '0',
      PUBLIC_MANAGER_URL: 'https://ops.example/dashboard',
      GATEWAY_TOKEN: 'correct-horse',
    }),
  );
});

test.after(async () => {
  await listeners.close();
  await rm(directory, { recursive: true });
});

/** 503: past the guard, at a service that is still starting. */
async function statusFor(origin: string): Promise<number> {
  const response = await fetch(`${listeners.gatewayUrl}/mcp`, {
    method: 'OPTIONS',
    headers: { Origin: origin },
  });
  await response.arrayBuffer();
  return response.status;
}

test('the page may try tools on the gateway from its public address', async () => {
  assert.is(await statusFor('https://ops.example'), 503);
});

test('other ports, schemes and names there may not', async () => {
  assert.is(await statusFor('https://ops.example:8443'), 403);
  assert.is(await statusFor('http://ops.example'), 403);
  assert.is(await statusFor('https://evil.example'), 403);
});

test('other processes reach the manager by the name that it told them, and by no other', async () => {
  const here = await openListeners(
    readSettings({
      ...{ ROLES: 'manager', MANAGER_PORT: '0', DATA_DIR: await mkdtemp(join(directory, 'manager-')) },
      INTERNAL_MANAGER_URL: 'http://manager:3701',
    }),
  );
  const { port } = new URL(here.managerUrl);
  const statusAs = (host: string) =>
    new Promise<number>((resolve, reject) => {
      const options = { port, host: '127.0.0.1', path: '/readyz', headers: { host } };
      get(options, (response) => resolve(response.resume().statusCode ?? 0)).once('error', reject);
    });

  assert.is(await statusAs('manager:3701'), 503);
  assert.is(await statusAs('gateway:3701'), 403);
  await here.close();
});

test('a start keeps nobody from learning that there is no OAuth, without the token', async () => {
  const paths = ['/.well-known/oauth-protected-resource/v0/groups/a/mcp', '/register'];
  const statuses = paths.map(async (path) => (await fetch(`${listeners.gatewayUrl}${path}`)).status);

  assert.equal(await Promise.all(statuses), [404, 404]);
  assert.is((await fetch(`${listeners.gatewayUrl}/mcp`)).status, 401);
});

test.run();
