/**
 * Roles in processes of their own, on one Postgres: the one that has the engine owns the containers, and the others
 * reach them through it.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openContainerServices } from '../support/container-services.ts';
import { replaceTools } from '../support/manager-api.ts';
import { connectClient, openSession, type PlainSession } from '../support/mcp-client.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { provision } from '../support/provisioning.ts';
import type { RunningService, RunServiceOptions } from '../support/run-service.ts';
import { testImage } from '../support/testbed.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('containers of another process');
const services = await openContainerServices();
const database = services && (await createTestDatabase('split'));
const withEngine = services && database ? test : test.skip;
const server = services?.name('split') ?? 'split';
let manager: RunningService;
let gateway: RunningService;
let session: PlainSession;

/** One role alone: only one of the two ports is open. */
async function runRole(
  role: 'manager' | 'gateway',
  options: RunServiceOptions = {},
): Promise<RunningService> {
  if (!services || !database) throw new Error('There is no engine, or no Postgres.');
  const env = { ROLES: role, ...options.env };
  const service = await services.run({ ...options, database, env, readyMs: 0 });
  await isReady(service, role);
  return service;
}

async function isReady(service: RunningService, role: 'manager' | 'gateway'): Promise<void> {
  const url = role === 'manager' ? service.managerUrl : service.gatewayUrl;
  await waitUntil(`the ${role} is ready`, async () => (await fetch(`${url}/readyz`)).ok, { limitMs: 30_000 });
}

async function restartManager(): Promise<void> {
  await manager.restart();
  await isReady(manager, 'manager');
}

/** The text of the tool's answer, or why there is none. */
async function echo(message: string, through = session): Promise<string> {
  const { body } = await through.request('tools/call', { name: `${server}__echo`, arguments: { message } });
  return body.result?.content[0].text ?? JSON.stringify(body);
}

test.before(async () => {
  if (!services || !database) return;
  manager = await runRole('manager');
  gateway = await runRole('gateway', { shareFoldersWith: manager });
  const { status, body } = await provision(manager, { name: server, image: testImage('everything') });
  assert.is(status, 201, JSON.stringify(body));
  await replaceTools(manager, 'svc-global', body.tools);
  session = await openSession(gateway.groupUrl());
  await waitUntil('the gateway knows its tools', async () => {
    return (await session.request('tools/list')).body.result.tools.length === body.tools.length;
  });
});

test.after(() => services?.close());

withEngine('a gateway without an engine calls a server in a container', async () => {
  assert.is(await echo('across'), 'Echo: across');
  assert.is((await services?.containersOf(server))?.length, 1);
});

withEngine('results, big ones too, arrive as they were', async () => {
  const message = `ü \u2028 ${'x'.repeat(500_000)}`;

  assert.is(await echo(message), `Echo: ${message}`);
});

withEngine('many calls at once are answered each with its own', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => echo(`call ${at}`)));

  assert.equal(
    answers,
    answers.map((_, at) => `Echo: call ${at}`),
  );
});

withEngine('progress comes through', async () => {
  const { client, close } = await connectClient(gateway.groupUrl());
  const heard: number[] = [];

  await client.callTool(
    { name: `${server}__trigger-long-running-operation`, arguments: { duration: 0.3, steps: 3 } },
    undefined,
    { onprogress: ({ progress }) => heard.push(progress) },
  );

  assert.equal(heard, [1, 2, 3]);
  await close();
});

withEngine('a cancelled call is cancelled at its end, and later ones are answered', async () => {
  const { client, close } = await connectClient(gateway.groupUrl());
  const cancel = new AbortController();
  const call = client
    .callTool(
      { name: `${server}__trigger-long-running-operation`, arguments: { duration: 5, steps: 5 } },
      undefined,
      { signal: cancel.signal },
    )
    .catch(() => 'cancelled');
  setTimeout(() => cancel.abort(), 200);

  assert.is(await call, 'cancelled');
  assert.is(await echo('after'), 'Echo: after');
  await close();
});

withEngine('while the owner is away calls say so at once, and tools stay listed', async () => {
  const { length } = (await session.request('tools/list')).body.result.tools;
  await manager.kill9();

  const startedAt = performance.now();
  const { body } = await session.request('tools/call', {
    name: `${server}__echo`,
    arguments: { message: '' },
  });

  assert.is(body.result.isError, true);
  assert.match(body.result.content[0].text, server);
  assert.ok(performance.now() - startedAt < 1_000);
  assert.is((await session.request('tools/list')).body.result.tools.length, length);
});

withEngine('once it is back it is found within 1 s', async () => {
  const before = await services?.containersOf(server);
  await restartManager();

  const readyAt = performance.now();
  await waitUntil('calls succeed', async () => (await echo('back')) === 'Echo: back', { everyMs: 20 });

  assert.ok(performance.now() - readyAt < 1_000, `${performance.now() - readyAt} ms`);
  assert.equal(await services?.containersOf(server), before);
});

withEngine('a second manager reaches the containers through the first, and leaves them alone', async () => {
  const second = await runRole('manager', { shareFoldersWith: manager });
  const answer = await provision(second, { name: services?.name('other') ?? '', image: testImage('memory') });

  assert.equal([answer.status, answer.body.code], [503, 'provision_failed']);
  assert.is(await echo('still'), 'Echo: still');
  assert.is((await services?.containersOf(server))?.length, 1);
  await second.stop();
});

withEngine('when the owner is gone another manager takes over', async () => {
  const second = await runRole('manager', { shareFoldersWith: manager });
  await manager.kill9();

  await waitUntil('calls succeed', async () => (await echo('taken')) === 'Echo: taken', { limitMs: 20_000 });
  await waitUntil('there is one container', async () => (await services?.containersOf(server))?.length === 1);

  await restartManager();
  assert.is(await echo('kept'), 'Echo: kept');
  await second.stop();
  await waitUntil('calls succeed', async () => (await echo('given back')) === 'Echo: given back');
});

test.run();
