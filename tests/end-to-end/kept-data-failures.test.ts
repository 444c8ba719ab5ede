/**
 * A server whose file was removed by hand keeps its container and volumes; a registration of that name that fails takes
 * nothing of them.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openContainerServices } from '../support/container-services.ts';
import { readServer } from '../support/manager-api.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type ProvisionAnswer, provision, register } from '../support/provisioning.ts';
import type { RunningService } from '../support/run-service.ts';
import { testImage } from '../support/testbed.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('registrations that fail over what was kept');
const services = await openContainerServices();
const databaseUrl = services && (await createTestDatabase('kept_failures'));
const withEngine = services && databaseUrl ? test : test.skip;
let service: RunningService;

const document = { image: testImage('memory') };
const volumes = [{ path: '/data' }];
/** The one of before with its volume, and one without any. */
const kinds = { volume: { ...document, volumes }, plain: document };
type Kind = keyof typeof kinds;
type Document = typeof document;

test.before(async () => {
  if (!services || !databaseUrl) return;
  service = await services.run({ database: databaseUrl });
  await query(
    "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$",
  );
});
test.after(() => services?.close());

/** What the engine has of it. */
const keptOf = async (name: string) => ({
  containers: (await services?.containersOf(name))?.map(({ id, state }) => `${id} ${state}`),
  volumes: await services?.volumesOf(name),
});

async function keep(name: string, kind: Kind): Promise<Awaited<ReturnType<typeof keptOf>>> {
  const { status, body } = await register(service, { name, ...kinds[kind] });
  assert.is(status, 201, JSON.stringify(body));
  rmSync(join(service.configsDir, `${name}.json`));
  return await waitUntil('it is kept', async () => {
    if ((await readServer(service, name)) !== undefined) return undefined;
    const kept = await keptOf(name);
    return kept.containers?.every((line) => line.endsWith(' exited')) && kept;
  });
}

async function query(text: string): Promise<void> {
  const client = new pg.Client(service.databaseUrl);
  await client.connect();
  await client.query(text).finally(() => client.end());
}

/** It started and its file is written by then. */
async function whileItsRowIsRefused(work: () => Promise<ProvisionAnswer>) {
  await query('create trigger refused before insert on servers execute function refuse()');
  return await work().finally(() => query('drop trigger refused on servers'));
}

const failures: Readonly<Record<string, (name: string, same: Document) => Promise<ProvisionAnswer>>> = {
  'one that does not start': (name, same) =>
    register(service, { name, ...same, entrypoint: ['node', '-e', 'process.exit(3)'] }),
  'a provision that does not start': (name, same) =>
    provision(service, { name, ...same, entrypoint: ['node', '-e', 'process.exit(3)'] }),
  'one that is the same, and cannot be stored': (name, same) =>
    whileItsRowIsRefused(() => register(service, { name, ...same })),
  'another one that started, and cannot be stored': (name, same) =>
    whileItsRowIsRefused(() => register(service, { name, ...same, env: { COLOUR: 'red' } })),
};

for (const [kind, same] of Object.entries(kinds)) {
  withEngine(
    `with ${kind}: container and volumes are what they were, and come back with the same config`,
    async () => {
      const name = services?.name(`kept-${kind}`) ?? '';
      const kept = await keep(name, kind as Kind);
      for (const [what, fail] of Object.entries(failures)) {
        const { status, body } = await fail(name, same);
        assert.ok(status >= 400, `${what}: ${status} ${JSON.stringify(body)}`);
        const isAsBefore = async () => JSON.stringify(await keptOf(name)) === JSON.stringify(kept);
        await waitUntil(`${what}: it is as before`, isAsBefore);
      }

      const { status, body } = await register(service, { name, ...same });

      assert.is(status, 201, JSON.stringify(body));
      const ids = (lines: readonly string[] = []) => lines.map((line) => line.split(' ')[0]);
      assert.equal(ids((await keptOf(name)).containers), ids(kept.containers));
    },
  );
}

test.run();
