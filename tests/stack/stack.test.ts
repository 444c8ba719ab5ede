/**
 * The whole stack, as `make` starts it from a fresh checkout: a real engine, real containers, the compose command of
 * this machine. `LONG=1` goes down and up twenty times instead of three.
 */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { manage, switchTool } from '../support/manager-api.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Agent, allTools, assertWelcomes, createAgent } from './agent.ts';
import { type Checkout, createCheckout } from './checkout.ts';
import { stackProblem } from './engine.ts';
import { addStandInImages } from './stand-in-images.ts';

const test = suite('the whole stack');
const problem = await stackProblem();
const onEngine = problem === undefined ? test : test.skip;
if (problem !== undefined) console.error(`the whole stack is skipped: ${problem}`);
const cycles = process.env.LONG === '1' ? 20 : 3;
const backWithinMs = 15_000;
/** Those of the two example servers. */
const toolCount = 31;
const registered = /^ {2}everything__echo$[\s\S]*^ {2}filesystem__read_file$[\s\S]*^NAME +TRANSPORT/m;

let checkout: Checkout;
let removeImages: (() => Promise<void>) | undefined;
let agent: Agent;
let environmentFile: string;

test.before(async () => {
  if (problem !== undefined) return;
  removeImages = await addStandInImages();
  checkout = await createCheckout();
});

test.after(async () => {
  await checkout?.remove();
  await removeImages?.();
});

onEngine('make alone lists the targets with what they do', async () => {
  const { code, stdout } = await checkout.make();

  assert.is(code, 0);
  for (const target of ['up', 'down', 'status', 'register', 'help']) {
    assert.match(stdout, new RegExp(`make ${target} +\\w+`));
  }
});

onEngine('make up makes .env, waits until both APIs answer, and prints where they are', async () => {
  const { code, stdout, stderr } = await checkout.make('up');

  assert.is(code, 0, stderr);
  assert.ok(stdout.includes(`Web UI:  ${checkout.managerUrl}/\n`), stdout);
  assert.ok(stdout.includes(`Gateway: ${checkout.gatewayUrl}/v0/groups/svc-global/mcp\n`), stdout);
  assert.is((await fetch(`${checkout.gatewayUrl}/api/v0/tools`)).status, 200);
  assert.is((await manage(checkout, 'GET', '/api/current')).success, true);
  assert.is((await fetch(checkout.managerUrl)).status, 200);
  environmentFile = readFileSync(join(checkout.dir, '.env'), 'utf8');
  assert.is(statSync(join(checkout.dir, '.env')).mode & 0o777, 0o600);
  const [, password = ''] = /^POSTGRES_PASSWORD=([0-9a-f]{48})$/m.exec(environmentFile) ?? [];
  assert.ok(password && !(stdout + stderr).includes(password));
});

onEngine('nobody but the manager has the engine, nobody is root, only loopback is published', async () => {
  const [gateway, manager, postgres] = [
    await inspect('gateway'),
    await inspect('manager'),
    await inspect('postgres'),
  ];

  assert.not.ok(gateway.mounted.includes('/var/run/docker.sock'));
  assert.ok(manager.mounted.includes('/var/run/docker.sock'));
  assert.equal(gateway.readOnly, ['/app/.secrets', '/app/configs', '/app/groups']);
  assert.equal(manager.readOnly, []);
  for (const { user, dropped, published } of [gateway, manager]) {
    assert.match(user, /^[1-9]\d*:[1-9]\d*$/);
    assert.equal(dropped, ['ALL']);
    assert.equal(published, ['127.0.0.1']);
  }
  assert.equal(postgres.published, []);
});

onEngine('an agent initializes, lists and calls the example servers through the gateway', async () => {
  agent = await createAgent(checkout);

  await everyToolIsBack();
  assert.equal(await agent.listed(), (await manage(checkout, 'GET', '/api/current')).tools);
  await assertCalls();
});

onEngine('make status shows the containers and the number of tools', async () => {
  const { code, stdout } = await checkout.make('status');

  assert.is(code, 0);
  for (const service of ['gateway', 'manager', 'postgres']) {
    assert.match(stdout, new RegExp(`${service}.* Up `));
  }
  assert.match(stdout, /^everything +stdio +\w+ +17 /m);
  assert.match(stdout, /^Tools: 31$/m);
});

onEngine('make register takes every config, goes on after a broken one, and fails then', async () => {
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
  await everyToolIsBack();
});

onEngine('the database restarted under load loses nothing', async () => {
  const { tools: before } = await manage(checkout, 'GET', '/api/current');
  const load = agent.startLoad();
  await waitUntil('there is load', () => load.calls() > 20);

  await checkout.docker('restart', await checkout.container('postgres'));
  const { tools } = await waitUntil('a switch is taken', () =>
    switchTool(checkout, 'svc-global', 'everything__get-env', true).catch(() => undefined),
  );
  await assertWelcomes(checkout);

  assert.equal(await load.stop(), []);
  assert.equal(tools, [...before, 'everything__get-env']);
  await waitUntil('agents see it', async () => (await agent.listed()).length === tools.length);
  const file = JSON.parse(readFileSync(join(checkout.dir, 'groups/svc-global.json'), 'utf8'));
  assert.equal(file.included_tools, tools);
});

onEngine(`down and up ${cycles} times: every tool is back within 15 s of up, without register`, async () => {
  const before = await allTools(checkout);
  const times: number[] = [];
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    const down = await checkout.make('down');
    assert.is(down.code, 0, down.stderr);
    assert.is(await checkout.container('manager'), '');

    const startedAt = performance.now();
    const up = await checkout.make('up');
    assert.is(up.code, 0, up.stderr);
    await everyToolIsBack();
    times.push(Math.round(performance.now() - startedAt));
    await assertCalls();
  }
  console.log(`measured: make up until every tool is back, ms: ${times.join(' ')}`);

  assert.equal(await allTools(checkout), before);
  assert.ok(Math.max(...times) <= backWithinMs, `${times}`);
  assert.is(readFileSync(join(checkout.dir, '.env'), 'utf8'), environmentFile);
});

onEngine('make down stops everything and keeps the data', async () => {
  assert.is((await checkout.make('down')).code, 0);

  for (const service of ['gateway', 'manager', 'postgres']) assert.is(await checkout.container(service), '');
  assert.match((await checkout.make('status')).stdout, /`make up`/);
  assert.is((await checkout.volumes()).length, 4);
});

async function inspect(service: string) {
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

async function everyToolIsBack(): Promise<void> {
  await waitUntil('every tool is back', async () => (await allTools(checkout)).length === toolCount, {
    limitMs: 30_000,
  });
}

async function assertCalls(): Promise<void> {
  assert.match(await agent.call('everything__echo', { message: 'through the stack' }), /through the stack/);
  assert.match(await agent.call('filesystem__list_directory', { path: '/app/docs' }), /decisions/);
}

test.run();
