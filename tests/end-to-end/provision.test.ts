/**
 * Servers made out of images, on a real engine with a real registry: what works, what fails and leaves nothing behind.
 * `LONG=1` pulls the images anew and lets the silent one run into the usual time limit.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openContainerServices } from '../support/container-services.ts';
import { startEngineProxy } from '../support/engine-proxy.ts';
import { startFakeRegistry } from '../support/fake-registry.ts';
import { freePort } from '../support/free-port.ts';
import { manage, readServer, toolsOf } from '../support/manager-api.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { leftoversOf, provision, provisionStreamed, register } from '../support/provisioning.ts';
import type { RunningService } from '../support/run-service.ts';
import { testImage } from '../support/testbed.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('provisioning on a real engine');
const services = await openContainerServices();
/** Its tables can be looked into while the service runs. */
const database = services && (await createTestDatabase('provision'));
const withEngine = services ? test : test.skip;
const isLong = process.env.LONG === '1';
if (services && !isLong) console.error('cold pulls: skipped, they need LONG=1');
const inLongForm = services && isLong ? test : test.skip;
let service: RunningService;

const name = (base: string) => services?.name(base) ?? base;
const imageOf = { image: testImage('memory') };

async function leftOf(server: string): Promise<string[]> {
  return services ? await leftoversOf(services, service, server) : [];
}

test.before(async () => {
  if (services) service = await services.run({ database: database ?? 'embedded' });
});

test.after(() => services?.close());

/** Before all others, since nobody may use the images meanwhile. */
inLongForm('images that are not here take little longer than their pull', async () => {
  const docker = services?.docker;
  const forget = (image: string) => docker?.getImage(image).remove({ force: true });
  for (const which of ['everything', 'filesystem', 'memory']) {
    const [server, image] = [name(`cold-${which.slice(0, 6)}`), testImage(which)];
    await forget(image);
    const startedAt = performance.now();
    await new Promise((resolve) => {
      docker?.pull(image).then((stream) => docker.modem.followProgress(stream, resolve));
    });
    const pullMs = performance.now() - startedAt;
    await forget(image);

    const { status, body, ms } = await provision(service, { name: server, image });

    assert.is(status, 201, JSON.stringify(body));
    console.log(`  ${which}: pull ${Math.round(pullMs)} ms, provisioned in ${Math.round(ms)} ms`);
    assert.ok(ms < pullMs + 4_000, `${ms} ms, the pull took ${pullMs} ms`);
  }
});

for (const [image, tools] of [
  ['everything', 16],
  ['filesystem', 14],
  ['memory', 9],
] as const) {
  withEngine(`the real image ${image} is provisioned with its tools`, async () => {
    const server = name(image.slice(0, 10));

    const { status, body, ms } = await provision(service, { name: server, image: testImage(image) });

    assert.is(status, 201, JSON.stringify(body));
    assert.equal([body.name, body.container_name], [server, `svc-mcp-${server}`]);
    assert.equal([body.container_running, body.tool_count, body.tools.length], [true, tools, tools]);
    assert.equal(body.tools, await toolsOf(service, server).then((listed) => sortLike(body.tools, listed)));
    const record = await readServer(service, server);
    assert.equal([record.status, record.running, record.tool_count], ['running', true, tools]);
    assert.is((await services?.containersOf(server))?.length, 1);
    console.log(`  ${image}: ${Math.round(ms)} ms from the call to registered tools, image local`);
  });
}

/** `listed` in the order of `order`. */
function sortLike(order: readonly string[], listed: readonly string[]): string[] {
  return order.filter((one) => listed.includes(one));
}

withEngine('it is told step by step, and ends with the body of the plain answer', async () => {
  const server = name('told');

  const events = await provisionStreamed(service, { name: server, ...imageOf });

  const types = events.map(({ type, data }) => (type === 'step' ? data.step : type));
  assert.equal([...new Set(types)], ['pull', 'start', 'ready', 'register', 'done']);
  const { success, message, ...done } = events.at(-1)?.data ?? {};
  assert.ok(success);
  assert.match(message, server);
  assert.equal(Object.keys(done), [
    ...['name', 'container_name', 'container_running', 'tool_count', 'tools'],
    'warnings',
  ]);
  assert.equal([done.tool_count, done.warnings], [9, []]);
});

withEngine('an HTTP image is reached over its port', async () => {
  const server = name('http');
  const http = { command: ['streamableHttp'], transport: 'streamable_http', path: '/mcp' };

  const { status, body } = await provision(service, {
    name: server,
    image: testImage('everything'),
    ...http,
  });

  assert.is(status, 201, JSON.stringify(body));
  assert.is(body.tool_count, 16);
  const config = (await manage(service, 'GET', `/api/servers/${server}`)).server.config;
  assert.equal([config.port, config.path], [3001, '/mcp']);
});

withEngine('one that is slow to answer is waited for', async () => {
  const { status, body, ms } = await provision(service, { name: name('slow'), image: testImage('slow') });

  assert.is(status, 201, JSON.stringify(body));
  assert.ok(ms > 5_000, `${ms} ms`);
});

withEngine('one that ends at once is 422 with its exit code and last lines', async () => {
  const server = name('broken');

  const { status, body } = await provision(service, {
    name: server,
    image: testImage('broken'),
    env_vars: { TOKEN: 'given-for-nothing' },
  });

  assert.equal([status, body.code], [422, 'provision_failed']);
  assert.equal(body.details, {
    step: 'ready',
    exit_code: 3,
    log_tail: ['FATAL: API_KEY is not set'],
    undone: true,
  });
  assert.equal(await leftOf(server), []);
});

withEngine('what it wrote is told without the values it was given', async () => {
  const server = name('leaky');
  const code = 'process.stderr.write(process.env.TOKEN+`\\n`);process.exit(7)';

  const { status, body } = await provision(service, {
    name: server,
    image: testImage('everything'),
    env_vars: {
      TOKEN: 'canary-4711',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
    },
  });

  assert.equal([status, body.details.exit_code], [422, 7]);
  assert.equal(body.details.log_tail, ['***']);
  assert.equal(await leftOf(server), []);
});

withEngine('one that never answers is 504 after its time, and gone', async () => {
  const server = name('silent');
  const image = testImage('silent');

  const { status, body, ms } = isLong
    ? await provision(service, { name: server, image })
    : await register(service, { name: server, image, timeouts: { start_ms: 2_000 } });

  assert.equal([status, body.code], [504, 'provision_failed'], JSON.stringify(body));
  assert.equal([body.details.step, body.details.undone], ['ready', true]);
  assert.ok(ms < (isLong ? 35_000 : 7_000), `${ms} ms`);
  assert.equal(await leftOf(server), []);
});

withEngine('a tag, a repository and a registry that are not there are told apart', async () => {
  const server = name('nowhere');
  const closed = await freePort();
  const answers = [
    await provision(service, { name: server, image: testImage('memory').replace(/:1$/, ':99') }),
    await provision(service, { name: server, image: testImage('no-such-thing') }),
    await provision(service, { name: server, image: `127.0.0.1:${closed}/mcp/memory:1` }),
  ];

  assert.equal(
    answers.map(({ status, body }) => [status, body.code, body.details]),
    [
      [422, 'provision_failed', { step: 'pull', undone: true }],
      [422, 'provision_failed', { step: 'pull', undone: true }],
      [502, 'provision_failed', { step: 'pull', undone: true }],
    ],
  );
  assert.equal(await leftOf(server), []);
});

withEngine('a pull that breaks off midway is 502, and the same name works right after', async () => {
  const server = name('midway');
  const registry = await startFakeRegistry();
  registry.refuseLayers();

  const { status, body } = await provision(service, { name: server, image: registry.image });

  await registry.close();
  assert.equal([status, body.code, body.details.step], [502, 'provision_failed', 'pull']);
  assert.equal(await leftOf(server), []);
  assert.is((await provision(service, { name: server, ...imageOf })).status, 201);
});

withEngine('a program that the image does not have is 422', async () => {
  const server = name('program');
  const registry = await startFakeRegistry(10_000);

  const { status, body } = await provision(service, { name: server, image: registry.image });

  await registry.close();
  assert.equal([status, body.code], [422, 'provision_failed'], JSON.stringify(body));
  assert.equal(await leftOf(server), []);
  await services?.docker
    .getImage(registry.image)
    .remove()
    .catch(() => {});
});

withEngine('a foreign container keeps its name, ours gets a mark; a taken server is 409', async () => {
  const server = name('taken');
  const foreign = await services?.docker.createContainer({
    name: `svc-mcp-${server}`,
    Image: testImage('memory'),
  });

  const aside = await provision(service, { name: server, ...imageOf });
  const byServer = await provision(service, { name: server, ...imageOf });

  const untouched = await foreign?.inspect();
  await foreign?.remove();
  assert.is(aside.status, 201, JSON.stringify(aside.body));
  assert.match(aside.body.container_name, new RegExp(`^svc-mcp-${server}-[0-9a-f]{8}$`));
  assert.equal([untouched?.Id, untouched?.State.Status], [foreign?.id, 'created']);
  assert.equal([byServer.status, byServer.body.code], [409, 'conflict']);
});

withEngine('of ten at once with one name one is made and nine are conflicts', async () => {
  const server = name('race');

  const answers = await Promise.all(
    Array.from({ length: 10 }, () => provision(service, { name: server, ...imageOf })),
  );

  const statuses = answers.map(({ status }) => status).sort();
  assert.equal(statuses, [201, ...Array(9).fill(409)]);
  assert.is((await services?.containersOf(server))?.length, 1);
});

withEngine('a caller that leaves has it undone, streamed or not', async () => {
  const [streamed, plain] = [name('left1'), name('left2')];
  const leaving = new AbortController();
  const body = { image: testImage('silent'), env_vars: { TOKEN: 'of-one-who-left' } };

  const events = provisionStreamed(
    service,
    { name: streamed, ...body },
    ({ data }) => data.step === 'ready' && leaving.abort(),
    leaving.signal,
  );
  const answer = fetch(`${service.managerUrl}/api/servers/provision`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: plain, ...body }),
    signal: leaving.signal,
  });

  await Promise.allSettled([events, answer]);
  for (const server of [streamed, plain]) {
    await waitUntil(`nothing is left of ${server}`, async () => (await leftOf(server)).length === 0);
  }
});

withEngine('the service ends in good time while it waits for a server', async () => {
  const server = name('stopped');
  const other = await services?.run();
  if (!other) return;
  const waiting = new Promise<void>((resolve) => {
    const onEvent = ({ data }: { data: { step?: string } }) => data.step === 'ready' && resolve();
    provisionStreamed(other, { name: server, image: testImage('silent') }, onEvent).catch(() => {});
  });
  await waiting;
  assert.is((await services?.containersOf(server))?.length, 1);

  const startedAt = performance.now();
  assert.is(await other.stop(), 0);

  assert.ok(performance.now() - startedAt < 6_000, `${performance.now() - startedAt} ms`);
  assert.equal(await services?.containersOf(server), []);
});

withEngine('without an engine it is 503 within 2 s, everything else works, and it heals', async () => {
  const server = name('later');
  const engine = await startEngineProxy();
  await engine.cut();
  const other = await services?.run({ env: { DOCKER_HOST: engine.host } });
  if (!other) return;

  const { status, body, ms } = await provision(other, { name: server, ...imageOf });

  assert.equal([status, body.code], [503, 'provision_failed']);
  assert.equal(body.details, { step: 'engine', undone: true });
  assert.ok(ms < 2_000, `${ms} ms`);
  assert.is((await fetch(`${other.gatewayUrl}/api/v0/tools`)).status, 200);
  assert.is((await fetch(`${other.managerUrl}/readyz`)).status, 200);

  await engine.restore();
  const isMade = async () => (await provision(other, { name: server, ...imageOf })).status === 201;
  await waitUntil('it can be provisioned', isMade, { everyMs: 250 });
  await engine.cut();
  const isUnknown = async () => (await readServer(other, server)).status === 'unknown';
  await waitUntil('its status is unknown', isUnknown);
  await engine.restore();
  await waitUntil('it runs', async () => (await readServer(other, server)).status === 'running');
  await other.stop();
  await engine.close();
});

withEngine(
  'the command line registers a file with an image, and shows beforehand what it would do',
  async () => {
    const server = name('filed');
    const path = join(service.dir, 'filed.json');
    const env = { TOKEN: 'of-the-file' };
    writeFileSync(path, JSON.stringify({ name: server, transport: 'stdio', env, ...imageOf }));

    const shown = await service.cli(['register', '-c', path, '--dry-run']);
    assert.is(shown.code, 0, shown.stderr);
    assert.match(shown.stdout, `${server}__read_graph`);
    assert.equal(await leftOf(server), []);

    const registered = await service.cli(['register', '-c', path]);
    assert.is(registered.code, 0, registered.stderr);
    assert.is((await readServer(service, server)).status, 'running');
    const again = await service.cli(['register', '-c', path]);
    assert.is(again.code, 0, again.stderr);
    const settled = async () => (await services?.containersOf(server))?.map((one) => one.name).join();
    await waitUntil('one container has the name', async () => (await settled()) === `svc-mcp-${server}`);
  },
);

withEngine('a restart starts the same container anew and lists its tools again', async () => {
  const server = name('again');
  await provision(service, { name: server, ...imageOf });
  const [before] = (await services?.containersOf(server)) ?? [];
  const startedAt = await services?.docker.getContainer(before?.id ?? '').inspect();

  const answer = await manage(service, 'POST', `/api/servers/${server}/restart`);

  assert.equal([answer.status, answer.tool_count], ['running', 9]);
  const [after] = (await services?.containersOf(server)) ?? [];
  const restartedAt = await services?.docker.getContainer(after?.id ?? '').inspect();
  assert.is(after?.id, before?.id);
  assert.is.not(restartedAt?.State.StartedAt, startedAt?.State.StartedAt);
});

withEngine('its lines can be read, and followed while it is restarted', async () => {
  const server = name('talks');
  await provision(service, { name: server, ...imageOf });
  const path = `/api/servers/${server}/logs`;

  const { lines } = await manage(service, 'GET', path);
  assert.equal(lines, ['Knowledge Graph MCP Server running on stdio']);

  const leaving = new AbortController();
  const followed = await fetch(`${service.managerUrl}${path}?follow=1&tail=0`, { signal: leaving.signal });
  await manage(service, 'POST', `/api/servers/${server}/restart`);
  const reader = followed.body?.getReader();
  let text = '';
  await waitUntil('the next line', async () => {
    text += Buffer.from((await reader?.read())?.value ?? []).toString();
    return text.includes('running on stdio');
  });
  leaving.abort();
});

withEngine('what is deleted leaves nothing, and the name is free', async () => {
  const server = name('gone');
  await provision(service, { name: server, ...imageOf, env_vars: { TOKEN: 'of-the-gone' } });

  const { affected_groups } = await manage(service, 'DELETE', `/api/servers/${server}`);

  assert.equal(affected_groups, []);
  assert.equal(await leftOf(server), []);
  assert.is((await provision(service, { name: server, ...imageOf })).status, 201);
});

withEngine('a container that was left by nobody knows whom is removed at the next start', async () => {
  const server = name('stray');
  await provision(service, { name: server, ...imageOf });
  const [own] = (await services?.containersOf(server)) ?? [];
  const facts = await services?.docker.getContainer(own?.id ?? '').inspect();
  const labels = { ...facts?.Config.Labels, 'svc-mcp.server': name('ghost') };
  await services?.docker.createContainer({
    name: `svc-mcp-${name('ghost')}`,
    Image: testImage('memory'),
    Labels: labels,
  });

  await service.restart();

  await waitUntil('it is gone', async () => (await services?.containersOf(name('ghost')))?.length === 0);
  assert.is((await services?.containersOf(server))?.[0]?.id, own?.id);
});

test.run();
