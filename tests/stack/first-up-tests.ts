/** From a fresh checkout to an agent's first call, and what the other targets show. */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { manage } from '../support/manager-api.ts';
import { waitUntil } from '../support/wait-until.ts';
import { allTools, assertCalls } from './agent.ts';
import type { Stack, Test } from './stack.ts';

/** Those of the two example servers. */
const exampleTools = 30;
const registered = /^ {2}everything__echo$[\s\S]*^ {2}filesystem__read_file$[\s\S]*^NAME +TRANSPORT/m;

export function addFirstUpTests(test: Test, stack: Stack): void {
  const { checkout } = stack;

  test('make alone lists the targets with what they do', async () => {
    const { code, stdout } = await checkout.make();

    assert.is(code, 0);
    for (const target of ['up', 'down', 'status', 'register', 'help']) {
      assert.match(stdout, new RegExp(`make ${target} +\\w+`));
    }
  });

  test('make up makes .env, waits until both APIs answer, and prints where they are', async () => {
    const { code, stdout, stderr } = await checkout.make('up');

    assert.is(code, 0, stderr);
    assert.ok(stdout.includes(`Web UI:  ${checkout.managerUrl}/\n`), stdout);
    assert.ok(stdout.includes(`Gateway: ${checkout.gatewayUrl}/v0/groups/svc-global/mcp\n`), stdout);
    assert.is((await fetch(`${checkout.gatewayUrl}/api/v0/tools`)).status, 200);
    assert.is((await manage(checkout, 'GET', '/api/current')).success, true);
    assert.is((await fetch(checkout.managerUrl)).status, 200);
    const environmentFile = readFileSync(join(checkout.dir, '.env'), 'utf8');
    assert.is(statSync(join(checkout.dir, '.env')).mode & 0o777, 0o600);
    const [, password = ''] = /^POSTGRES_PASSWORD=([0-9a-f]{48})$/m.exec(environmentFile) ?? [];
    assert.ok(password && !(stdout + stderr).includes(password));
  });

  test('nobody but the manager has the engine, nobody is root, only loopback is published', async () => {
    const [gateway, manager, postgres] = [
      await inspect(stack, 'gateway'),
      await inspect(stack, 'manager'),
      await inspect(stack, 'postgres'),
    ];

    assert.not.ok(gateway.mounted.includes('/var/run/docker.sock'));
    assert.ok(manager.mounted.includes('/var/run/docker.sock'));
    assert.equal(gateway.readOnly, ['/app/.secrets', '/app/configs', '/app/groups']);
    assert.equal(manager.readOnly, ['/app/.registry.json']);
    for (const { user, dropped, published } of [gateway, manager]) {
      assert.match(user, /^[1-9]\d*:[1-9]\d*$/);
      assert.equal(dropped, ['ALL']);
      assert.equal(published, ['127.0.0.1']);
    }
    assert.equal(postgres.published, []);
  });

  test('an agent initializes, lists and calls the example servers through the gateway', async () => {
    await exampleToolsAreListed();
    const agent = await stack.agent();

    assert.equal(await agent.listed(), (await manage(checkout, 'GET', '/api/current')).tools);
    await assertCalls(agent);
  });

  test('make status shows the containers and the number of tools', async () => {
    const { code, stdout } = await checkout.make('status');

    assert.is(code, 0);
    for (const service of ['gateway', 'manager', 'postgres']) {
      assert.match(stdout, new RegExp(`${service}.* Up `));
    }
    assert.match(stdout, /^everything +stdio +\w+ +16 /m);
    assert.match(stdout, /^Tools: 30$/m);
  });

  test('make register takes every config, goes on after a broken one, and fails then', async () => {
    const whole = await checkout.make('register');
    assert.is(whole.code, 0, whole.stderr);
    assert.match(whole.stdout, registered);

    const path = join(checkout.dir, 'configs/a-broken-one.json');
    writeFileSync(path, '{"name": "a-broken-one", "transport": "stdio", "command": "no-such-program"}');
    const withBroken = await checkout.make('register');
    rmSync(path);

    assert.is.not(withBroken.code, 0);
    assert.match(withBroken.stderr, /a-broken-one/);
    assert.match(withBroken.stdout, registered);
    await exampleToolsAreListed();
  });

  async function exampleToolsAreListed(): Promise<void> {
    await waitUntil(
      'the tools of the examples are listed',
      async () => (await allTools(checkout)).length === exampleTools,
      { limitMs: 30_000 },
    );
  }
}

async function inspect({ checkout }: Stack, service: string) {
  const [facts] = JSON.parse(await checkout.docker('inspect', await checkout.container(service)));
  const mounts: { Destination: string; RW: boolean }[] = facts.Mounts;
  const ports: ({ HostIp: string }[] | null)[] = Object.values(facts.NetworkSettings.Ports);
  return {
    user: facts.Config.User as string,
    dropped: facts.HostConfig.CapDrop as string[],
    mounted: mounts.map(({ Destination }) => Destination),
    readOnly: mounts.flatMap(({ RW, Destination }) => (RW ? [] : [Destination])).sort(),
    published: ports.flatMap((bindings) => (bindings ?? []).map(({ HostIp }) => HostIp)),
  };
}
