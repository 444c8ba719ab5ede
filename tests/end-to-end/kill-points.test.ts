/**
 * `kill -9` between any two steps of a provision and of a deletion, on a real engine and a real Postgres: after the next
 * start the server is there with all that belongs to it, or nothing of it is. Beside `container-kills.test.ts`, which
 * kills at the steps that are told.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openContainerServices } from '../support/container-services.ts';
import { type KilledService, type KillPoint, openKilledService } from '../support/killed-service.ts';
import { manage, readServer, toolsOf } from '../support/manager-api.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { leftoversOf, register } from '../support/provisioning.ts';
import { testImage } from '../support/testbed.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('a service that is killed between two steps');
const services = await openContainerServices();
const database = services && (await createTestDatabase('points'));
const withAll = services && database ? test : test.skip;
if (services && !database) console.error('kills between steps: skipped, there is no Postgres');
let killed: KilledService;

type Outcome = 'whole' | 'gone';

/** An act in its steps; of each what the server must be after the next start. */
type Steps = Readonly<Record<string, { readonly at: KillPoint; readonly becomes: Outcome | 'either' }>>;

const provisionSteps: Steps = {
  'its secret gets an owner': { at: { database: /insert into secret_owners/ }, becomes: 'gone' },
  'its secret is noted': { at: { database: /insert into unfinished_registrations/ }, becomes: 'gone' },
  'its container is made': { at: { engine: /POST \/containers\/create/ }, becomes: 'gone' },
  'its container is stored': { at: { database: /insert into containers / }, becomes: 'gone' },
  'it starts': { at: { engine: /POST \/containers\/\w+\/start/ }, becomes: 'gone' },
  // The file is there: it is the truth.
  'its row is written': { at: { database: /insert into servers / }, becomes: 'whole' },
  'its tools are written': { at: { database: /insert into tools / }, becomes: 'whole' },
  'its note is struck out': { at: { database: /delete from unfinished_registrations/ }, becomes: 'whole' },
};

const deletionSteps: Steps = {
  'its container stops': { at: { engine: /POST \/containers\/\w+\/stop/ }, becomes: 'whole' },
  'its tools leave the lists': { at: { database: /insert into deregistrations/ }, becomes: 'whole' },
  // Other processes are given a moment, then the file goes.
  'others hear that its tools have left': { at: { database: /pg_notify/ }, becomes: 'either' },
  'its row goes': { at: { database: /delete from servers/ }, becomes: 'gone' },
  'its container goes': { at: { engine: /DELETE \/containers\/\w+/ }, becomes: 'gone' },
  'its container is forgotten': { at: { database: /delete from containers/ }, becomes: 'gone' },
  'its secrets are released': { at: { database: /delete from secret_owners/ }, becomes: 'gone' },
  'its removal is struck out': { at: { database: /delete from deregistrations/ }, becomes: 'gone' },
};

test.before(async () => {
  if (services && database) killed = await openKilledService(services, database);
});

test.after(async () => {
  await services?.close();
  await killed?.close();
});

function provisionIt(name: string) {
  const env = { TOKEN: 'of-one-cut-short' };
  return register(killed.service, { name, image: testImage('memory'), env });
}

async function isWhole(server: string): Promise<boolean> {
  const { service } = killed;
  const record = await readServer(service, server);
  const containers = (await services?.containersOf(server)) ?? [];
  const isServing = record?.running && record.tool_count === 9 && containers.length === 1;
  return (
    isServing &&
    existsSync(join(service.configsDir, `${server}.json`)) &&
    (await toolsOf(service, server)).length === 9 &&
    record.missing_variables === undefined
  );
}

async function isGone(server: string): Promise<boolean> {
  return services !== undefined && (await leftoversOf(services, killed.service, server)).length === 0;
}

/** What became of it, once it is one or the other; fails when it stays half done. */
async function outcomeOf(server: string): Promise<Outcome> {
  const outcome = async (): Promise<Outcome | undefined> => {
    if (await isGone(server)) return 'gone';
    return (await isWhole(server)) ? 'whole' : undefined;
  };
  return await waitUntil('nothing is half done', outcome, { limitMs: 15_000 }).catch(async (error) => {
    const left = services && (await leftoversOf(services, killed.service, server));
    throw new Error(`${error.message}: ${left}`);
  });
}

for (const [step, { at, becomes }] of Object.entries(provisionSteps)) {
  withAll(`while it is provisioned, before ${step}: it is ${becomes}`, async () => {
    const server = services?.name('provided') ?? '';

    await killed.killAt(at, () => provisionIt(server));

    const outcome = await outcomeOf(server);
    if (becomes !== 'either') assert.is(outcome, becomes);
    if (outcome === 'whole') await manage(killed.service, 'DELETE', `/api/servers/${server}`);
    assert.is(await outcomeOf(server), 'gone');
  });
}

for (const [step, { at, becomes }] of Object.entries(deletionSteps)) {
  withAll(`while it is deleted, before ${step}: it is ${becomes}`, async () => {
    const server = services?.name('deleted') ?? '';
    if ((await readServer(killed.service, server)) === undefined) {
      assert.is((await provisionIt(server)).status, 201);
    }

    await killed.killAt(at, () => manage(killed.service, 'DELETE', `/api/servers/${server}`));

    const outcome = await outcomeOf(server);
    if (becomes !== 'either') assert.is(outcome, becomes);
  });
}

withAll('what a killed writer left beside configs, groups and secrets is swept', async () => {
  const { configsDir, groupsDir, dataDir } = killed.service;
  const places = [
    join(configsDir, 'demo.json.0123456789ab.tmp'),
    join(groupsDir, 'demo.json.0123456789ab.tmp'),
    join(dataDir, 'secrets.env.0123456789ab.tmp'),
  ];
  await killed.service.kill9();
  for (const path of places) writeFileSync(path, '{"half":');

  await killed.service.restart();

  const temporary = () =>
    [configsDir, groupsDir, dataDir].flatMap((folder) =>
      readdirSync(folder).filter((file) => file.endsWith('.tmp')),
    );
  await waitUntil('they are gone', () => temporary().length === 0, { limitMs: 20_000 });
});

test.run();
