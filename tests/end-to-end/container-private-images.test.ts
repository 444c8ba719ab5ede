/**
 * Images of a registry that asks who one is, images that were never in one, and registries that are away: a real engine, a
 * real registry with a password, and one that repeats what it is told. Nothing secret may be seen anywhere.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openContainerServices } from '../support/container-services.ts';
import { type EngineProxy, startEngineProxy } from '../support/engine-proxy.ts';
import { startFakeRegistry } from '../support/fake-registry.ts';
import { filesBelow, tablesOf, watchCommandLines } from '../support/leak-places.ts';
import { manage } from '../support/manager-api.ts';
import { createTestDatabase } from '../support/postgres.ts';
import {
  type PrivateRegistry,
  registryPassword,
  registryUser,
  startPrivateRegistry,
} from '../support/private-registry.ts';
import { leftoversOf, provision, provisionStreamed, register } from '../support/provisioning.ts';
import type { RunningService } from '../support/run-service.ts';

const test = suite('images of private registries');
const services = await openContainerServices();
const opened = services && (await startPrivateRegistry('memory'));
const withRegistry = opened ? test : test.skip;
const registry = opened as PrivateRegistry;
const database = opened && (await createTestDatabase('private-images'));
const commandLines = watchCommandLines();
const answers: string[] = [];
let engine: EngineProxy;
let service: RunningService;

const name = (base: string) => services?.name(base) ?? base;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const folder = join(tmpdir(), name('svc-docker-config'));
const dockerConfig = join(folder, 'config.json');
/** Images that have a name here because of us. */
const named = new Set<string>(opened ? [opened.image] : []);

test.before(async () => {
  if (!opened) return;
  mkdirSync(folder);
  engine = await startEngineProxy();
  service = (await services?.run({
    database: database ?? 'embedded',
    env: {
      DOCKER_HOST: engine.host,
      REGISTRY_CONFIG: dockerConfig,
      REGISTRY_CREDENTIALS: `${registry.host}=PRIVATE_LOGIN`,
      LOG_LEVEL: 'debug',
    },
  })) as RunningService;
});

test.after(async () => {
  commandLines.stop();
  await services?.close();
  for (const image of named) await forget(image);
  await engine?.close();
  await opened?.close();
  rmSync(folder, { recursive: true, force: true });
});

function logIn(password = registryPassword, host = registry.host): void {
  const auth = base64(`${registryUser}:${password}`);
  writeFileSync(dockerConfig, JSON.stringify({ auths: { [host]: { auth } } }));
}

const logOut = () => rmSync(dockerConfig, { force: true });

function writeSecret(value: string | undefined): void {
  writeFileSync(
    join(service.dataDir, 'secrets.env'),
    value === undefined ? '' : `PRIVATE_LOGIN='${value}'\n`,
  );
}

/** So that it has to be pulled. */
async function forget(image: string): Promise<void> {
  await services?.docker
    .getImage(image)
    .remove({ force: true })
    .catch(() => {});
}

/** Gives the image `memory` another name on this engine; no registry hears of it. */
async function nameLocally(image: string): Promise<void> {
  const [repo, tag] = [image.replace(/:[^:/]*$/, ''), image.replace(/^.*:/, '')];
  await services?.docker.getImage(registry.image).tag({ repo, tag });
  named.add(image);
}

async function provisioned(server: string, image: string) {
  const answer = await provision(service, { name: server, image });
  answers.push(JSON.stringify(answer.body));
  return answer;
}

async function registered(server: string, image: string, fields: object = {}) {
  const answer = await register(service, { name: server, image, replace: true, ...fields });
  answers.push(JSON.stringify(answer.body));
  return answer;
}

const remove = (server: string) => manage(service, 'DELETE', `/api/servers/${server}`);
const pullsSince = (from: number) =>
  engine.requests.slice(from).filter((head) => head.startsWith('POST /images/create'));

withRegistry(
  'without credentials the answer says that it may be private, and where to put them',
  async () => {
    const server = name('nobody');

    const { status, body } = await provisioned(server, registry.image);

    assert.equal([status, body.code], [502, 'provision_failed']);
    assert.equal(body.details, { step: 'pull', undone: true });
    assert.match(body.error, 'refuses access. If it is private: no credentials for');
    assert.match(body.error, 'There is no secret `PRIVATE_LOGIN`');
    for (const place of [registry.host, '`docker login`', '`REGISTRY_CREDENTIALS`'])
      assert.match(body.error, place);
    assert.equal(services && (await leftoversOf(services, service, server)), []);
  },
);

withRegistry('wrong credentials are named by where they are, and nothing else of them', async () => {
  logIn('wrong-password-of-the-file');
  const fromFile = await provisioned(name('wrong'), registry.image);
  writeSecret(`${registryUser}:wrong-password-of-the-secret`);
  const fromSecret = await provisioned(name('wrong'), registry.image);
  logOut();
  writeSecret(undefined);

  assert.equal([fromFile.status, fromSecret.status], [502, 502]);
  assert.match(fromFile.body.error, 'does not accept the credentials from docker’s configuration file');
  assert.match(fromSecret.body.error, 'does not accept the credentials from the secret `PRIVATE_LOGIN`');
});

withRegistry('credentials of docker’s configuration file count from the next pull on', async () => {
  const server = name('filed');
  logIn();

  const { status, body } = await provisioned(server, registry.image);

  assert.is(status, 201, JSON.stringify(body));
  assert.equal([body.tool_count, body.warnings], [9, []]);
  await remove(server);
  await forget(registry.image);
  logOut();
});

withRegistry('so do those of a secret, in the stream as well', async () => {
  const server = name('secret');
  writeSecret(`${registryUser}:${registryPassword}`);

  const events = await provisionStreamed(service, { name: server, image: registry.image });

  answers.push(JSON.stringify(events));
  assert.is(events.at(-1)?.type, 'done', JSON.stringify(events.at(-1)));
  assert.equal([events.at(-1)?.data.tool_count, events.at(-1)?.data.warnings], [9, []]);
  await remove(server);
});

withRegistry(
  'an image that is here serves when its registry refuses or is away, and the answer says so',
  async () => {
    const server = name('away');
    const file = join(service.dir, 'away.json');
    writeFileSync(file, JSON.stringify({ name: server, transport: 'stdio', image: registry.image }));
    const first = await registered(server, registry.image);
    writeSecret(undefined);

    const refused = await registered(server, registry.image, { dry_run: true });
    await registry.stop();
    const same = await registered(server, registry.image);
    const again = await registered(server, registry.image, { description: 'another' });
    const command = await service.cli(['register', '-c', file]);
    const dry = await registered(server, registry.image, { dry_run: true });
    const streamed = await provisionStreamed(service, { name: name('away-too'), image: registry.image });

    assert.equal([first.status, first.body.warnings], [201, []]);
    assert.equal([refused.status, refused.body.outcome], [200, 'unchanged'], JSON.stringify(refused.body));
    assert.match(refused.body.warnings.join(), 'its registry refuses access');
    // What is the same keeps its container, and nobody is asked for its image.
    assert.equal([same.status, same.body.outcome, same.body.warnings], [200, 'unchanged', []]);
    assert.equal([again.status, again.body.outcome, again.body.tool_count], [200, 'replaced', 9]);
    assert.match(
      again.body.warnings.join(),
      /its registry cannot be reached\. The image .* that is here is used/,
    );
    assert.match(dry.body.warnings.join(), 'cannot be reached');
    assert.is(command.code, 0, command.stderr);
    assert.match(command.stderr, /^Warning: .*cannot be reached/m);
    assert.is(streamed.at(-1)?.type, 'done', JSON.stringify(streamed.at(-1)));
    assert.match(streamed.at(-1)?.data.warnings.join(), 'cannot be reached');
    await remove(name('away-too'));
  },
);

withRegistry('one that is not here fails with a registry that is away, and leaves nothing', async () => {
  const server = name('nothing');

  const { status, body } = await provisioned(server, `${registry.host}/private/other:1`);

  assert.is(status, 502);
  assert.match(body.error, 'its registry cannot be reached');
  assert.equal(services && (await leftoversOf(services, service, server)), []);
  await registry.start();
});

withRegistry(
  'an image that was never pushed serves with each policy, and only `always` asks for it',
  async () => {
    const image = `${registry.host}/built/here:dev`;
    await nameLocally(image);
    writeSecret(`${registryUser}:${registryPassword}`);

    for (const [pull, asked] of [
      ['always', 1],
      ['missing', 0],
      ['never', 0],
    ] as const) {
      const server = name(pull);
      const from = engine.requests.length;

      const { status, body } = await registered(server, image, { pull });

      assert.is(status, 201, JSON.stringify(body));
      assert.is(pullsSince(from).length, asked, pull);
      assert.is(body.warnings.length, asked, pull);
      if (asked > 0) assert.match(body.warnings.join(), 'was not found in its registry');
      await remove(server);
    }
  },
);

withRegistry('an image that is not here is pulled for `missing`, and for `never` it is not', async () => {
  await forget(registry.image);
  const from = engine.requests.length;

  const never = await registered(name('never'), registry.image, { pull: 'never' });
  const neverAsked = pullsSince(from).length;
  const missing = await registered(name('missing'), registry.image, { pull: 'missing' });

  assert.equal([never.status, never.body.code, never.body.details.step], [422, 'provision_failed', 'pull']);
  assert.match(never.body.error, '`"pull": "never"`');
  assert.is(neverAsked, 0);
  assert.equal([missing.status, missing.body.warnings], [201, []], JSON.stringify(missing.body));
  await remove(name('missing'));
});

withRegistry('a pull that breaks off midway leaves the image that was here, with a warning', async () => {
  const fake = await startFakeRegistry(10_000);
  const image = fake.image;
  const server = name('midway');
  await nameLocally(image);
  fake.refuseLayers();

  const { status, body } = await registered(server, image);

  assert.is(status, 201, JSON.stringify(body));
  assert.match(body.warnings.join(), 'broke off midway');
  await remove(server);
  await fake.close();
});

withRegistry(
  'a registry gets its own credentials only, and those it repeats are seen by nobody',
  async () => {
    const shown: (string | undefined)[] = [];
    const parrot = createServer((request, response) => {
      const { authorization = '' } = request.headers;
      shown.push(request.headers.authorization);
      const told = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
      const message = `denied: you are ${told} by ${authorization}`;
      if (authorization === '') response.setHeader('www-authenticate', 'Basic realm="parrot"');
      response.writeHead(authorization === '' ? 401 : 403, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ errors: [{ code: 'DENIED', message }] }));
    });
    await new Promise<void>((resolve) => parrot.listen(0, '127.0.0.1', resolve));
    parrot.unref();
    const host = `127.0.0.1:${(parrot.address() as AddressInfo).port}`;
    writeSecret(`${registryUser}:${registryPassword}`);
    logIn();

    const stranger = await provisioned(name('parrot'), `${host}/some/image:1`);
    const shownToStranger = shown.splice(0);
    logIn(registryPassword, host);
    const friend = await provisioned(name('parrot'), `${host}/some/image:1`);

    assert.ok(shownToStranger.length > 0);
    assert.equal(new Set(shownToStranger), new Set([undefined]));
    assert.match(stranger.body.error, `no credentials for \`${host}\` were found`);
    assert.ok(shown.includes(`Basic ${base64(`${registryUser}:${registryPassword}`)}`));
    assert.equal([friend.status, friend.body.code], [502, 'provision_failed']);
    assert.match(service.output(), /denied: you are tester:\*\*\*/);
    parrot.closeAllConnections();
    await new Promise((resolve) => parrot.close(resolve));
  },
);

withRegistry('no password is in any answer, log, file, row, address or command line', async () => {
  const secrets = [registryPassword, 'wrong-password-of'].flatMap((one) => [
    one,
    base64(`${registryUser}:${one}`),
  ]);
  const ownFile = join(service.dataDir, 'secrets.env');
  const places = new Map([
    ...filesBelow(service.dir, (path) => path === ownFile),
    ...(database ? await tablesOf(service.databaseUrl ?? '') : []),
    ['the log', service.output()],
    ['answers', answers.join('\n')],
    ['addresses', engine.requests.join('\n')],
    ['command lines', [...commandLines.seen].join('\n')],
    ['the page’s answers', JSON.stringify(await manage(service, 'GET', '/api/servers/secrets-status'))],
  ]);

  const found = [...places].filter(([, text]) =>
    secrets.some((secret) => text.includes(secret.slice(0, 20))),
  );

  assert.equal(
    found.map(([place]) => place),
    [],
  );
  assert.match(places.get('the log') ?? '', 'cannot be pulled');
  assert.match(places.get('addresses') ?? '', 'POST /images/create');
});

test.run();
