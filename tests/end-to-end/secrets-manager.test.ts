/** A service whose secrets are in Vault: values go there, come from there, and its trouble is told and outlived. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCanaries } from '../support/canaries.ts';
import { type FakeVault, startFakeVault } from '../support/fake-vault.ts';
import { filesBelow } from '../support/leak-places.ts';
import { recordAnswers } from '../support/recorded-answers.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { stdioConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';
import { leakyPath } from './canary-paths.ts';

const test = suite('secrets in an external manager');
const canaries = createCanaries();
const answers = recordAnswers();
const vaultToken = canaries.make('VAULT_TOKEN');
const adminToken = canaries.make('ADMIN_TOKEN');
let vault: FakeVault;
let service: RunningService;
/** Long enough for a slow start, short enough to wait for. */
const ttlSeconds = 10;
let issuedAt: number;

test.before(async () => {
  vault = await startFakeVault();
  const policy = { 'secret/data/team/tools': ['read', 'create', 'update'] } as const;
  vault.tokens.issue(vaultToken, { ttlSeconds, policy });
  issuedAt = performance.now();
  service = await runService({
    env: {
      ADMIN_TOKEN: adminToken,
      SECRETS_METHOD: 'external_manager',
      VAULT_ADDR: vault.address,
      VAULT_TOKEN: vaultToken,
      VAULT_PATH: 'secret/team/tools',
      LOG_LEVEL: 'debug',
    },
  });
});

test.after(async () => {
  await service?.remove();
  await vault?.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
async function manage(method: string, path: string, body?: unknown): Promise<any> {
  const headers = { authorization: `Bearer ${adminToken}` };
  const { text } = await answers.send(method, `${service.managerUrl}${path}`, { headers, body });
  return JSON.parse(text);
}

const stored = () => {
  const { data } = vault.store.readData('team/tools', 0) as { data?: { data: Record<string, string> } };
  return data?.data ?? {};
};

test('literals of a registration go to the manager, and the file keeps a reference', async () => {
  const env = { API_KEY: canaries.make('env') };

  const { success } = await manage('POST', '/api/servers', stdioConfig('api', [leakyPath], { env }));

  const file = readFileSync(join(service.configsDir, 'api.json'), 'utf8');
  assert.is(success, true);
  assert.equal(stored(), { API__API_KEY: env.API_KEY });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference in a registration config
  assert.is(JSON.parse(file).env.API_KEY, '${API__API_KEY}');
});

test('secrets-status tells the method, that it is reachable, and what is missing', async () => {
  const status = await manage('GET', '/api/servers/secrets-status');

  assert.equal(status, {
    success: true,
    method: 'external_manager',
    reachable: true,
    servers: { api: { missing: [] } },
  });
});

test('the token outlives its time to live', async () => {
  const overAt = issuedAt + ttlSeconds * 1000 + 500;
  await new Promise((resolve) => setTimeout(resolve, overAt - performance.now()));

  assert.is((await manage('GET', '/api/servers/secrets-status')).reachable, true);
});

test('while it is sealed, servers that run go on, one without secrets registers, and a restart says why not', async () => {
  vault.mode = 'sealed';

  const status = await manage('GET', '/api/servers/secrets-status');
  const plain = await manage('POST', '/api/servers', stdioConfig('plain', [leakyPath]));
  const secret = { env: { KEY: canaries.make('env, sealed') } };
  const refused = await manage('POST', '/api/servers', stdioConfig('late', [leakyPath], secret));
  const before = await manage('GET', '/api/servers/api');
  const restarted = await manage('POST', '/api/servers/api/restart');

  assert.is(status.reachable, false);
  assert.is(status.problem, 'The secrets manager is sealed; unseal it.');
  assert.equal(status.servers, { api: { missing: ['API__API_KEY'] } });
  assert.is(plain.success, true, plain.error);
  assert.is(refused.code, 'storage_failed');
  assert.match(refused.error, 'sealed');
  assert.is(before.server.status, 'connected');
  assert.match(restarted.error, 'sealed');
});

test('unsealed, the server comes back without help', async () => {
  vault.mode = undefined;

  await waitUntil('it is connected', async () => {
    const { server } = await manage('GET', '/api/servers/api');
    return server.status === 'connected';
  });
});

test('a server that is deleted takes its secrets along', async () => {
  await manage('DELETE', '/api/servers/api');

  assert.equal(stored(), {});
});

test('neither token nor values are in answers, log, files, or in addresses of requests to the manager', async () => {
  const texts = new Map([
    ...answers.texts,
    ...filesBelow(service.dir),
    ['log', service.output()],
    ['requests', vault.requested.join('\n')],
  ]);

  assert.equal(
    [...texts].flatMap(([where, text]) => canaries.findIn(text).map((use) => `${where}: ${use}`)),
    [],
  );
});

test.run();
