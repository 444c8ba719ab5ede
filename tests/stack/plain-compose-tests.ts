/** The stack as people start it who do not use make: before the first `make up`, and after it. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { manage } from '../support/manager-api.ts';
import { waitUntil } from '../support/wait-until.ts';
import { assertCalls } from './agent.ts';
import type { Stack, Test } from './stack.ts';

const services = ['gateway', 'manager', 'postgres'];

/** Nothing was started yet. */
export function addUnpreparedTests(test: Test, { checkout }: Stack): void {
  const environmentFile = join(checkout.dir, '.env');

  test('compose on a fresh checkout says what to do, and starts nothing', async () => {
    for (const lines of ['', 'POSTGRES_USER=me\nPOSTGRES_PASSWORD=mine\n']) {
      if (lines !== '') writeFileSync(environmentFile, lines);

      const { code, stderr } = await checkout.compose('up', '-d');

      assert.is.not(code, 0);
      assert.match(stderr, 'run `make up` once');
      for (const service of services) assert.is(await checkout.container(service), '');
    }
    rmSync(environmentFile);
  });

  test('ports of .env are the ports outside, inside and between the two, whichever they are', async () => {
    const facts = ['POSTGRES_USER', 'POSTGRES_PASSWORD', 'APP_UID', 'APP_GID', 'DOCKER_GID'];
    const prepared = facts.map((name) => `${name}=1\n`).join('');
    for (const [manager, gateway, lines] of [
      [3701, 3700, ''],
      [5010, 8090, 'MANAGER_PORT=5010\nGATEWAY_PORT=8090\n'],
    ] as const) {
      writeFileSync(environmentFile, prepared + lines);

      const { stdout } = await checkout.compose('config');

      assert.match(stdout, new RegExp(`INTERNAL_MANAGER_URL: http://manager:${manager}$`, 'm'));
      assert.match(stdout, new RegExp(`INTERNAL_GATEWAY_URL: http://gateway:${gateway}$`, 'm'));
      for (const port of [manager, gateway]) assert.match(stdout, publishedAs(port));
    }
    rmSync(environmentFile);
  });
}

/** The two commands write it differently. */
function publishedAs(port: number): RegExp {
  return new RegExp(`127\\.0\\.0\\.1:${port}:${port}|target: ${port}\\s+published: "${port}"`);
}

/** After the first `make up`. */
export function addPlainComposeTests(test: Test, stack: Stack): void {
  const { checkout } = stack;

  test('compose alone brings the same stack up: healthy, with the engine, at the addresses of .env', async () => {
    for (const words of [['down'], ['up', '-d']]) {
      const { code, stderr } = await checkout.compose(...words);
      assert.is(code, 0, stderr);
    }

    for (const service of services) {
      const id = await checkout.container(service);
      await waitUntil(
        `${service} is healthy`,
        async () => (await checkout.docker('inspect', '-f', '{{.State.Health.Status}}', id)) === 'healthy',
        { limitMs: 120_000 },
      );
    }
    const status = await manage(checkout, 'GET', '/api/status');
    assert.equal(status.engine, { ok: true });
    assert.is(status.manager_url, checkout.managerUrl);
    assert.is(status.gateway_url, checkout.gatewayUrl);
    await assertCalls(await stack.agent());
  });

  test('the command line in the manager’s container calls tools', async () => {
    const command = ['node', 'bin/svc-mcp.js', 'call', 'everything__echo', '--args', '{"message":"inside"}'];

    const { code, stdout, stderr } = await checkout.compose('exec', '-T', 'manager', ...command);

    assert.is(code, 0, stderr);
    assert.match(stdout, 'inside');
    assert.ok(existsSync(join(checkout.dir, '.env')));
  });
}
