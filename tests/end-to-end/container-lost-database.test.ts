/** The database is lost while containers are there: what servers keep in them comes back with their configs. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openContainerServices } from '../support/container-services.ts';
import { imageWithVolume } from '../support/images-with-volumes.ts';
import { readServer, replaceTools } from '../support/manager-api.ts';
import { openSession } from '../support/mcp-client.ts';
import { register } from '../support/provisioning.ts';
import type { RunningService } from '../support/run-service.ts';
import { testImage } from '../support/testbed.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('containers after the database was lost');
const services = await openContainerServices();
const withEngine = services ? test : test.skip;
const name = (base: string) => services?.name(base) ?? base;
const repository = `127.0.0.1:5555/svc-test/${name('lost')}`;

test.after(async () => {
  await services?.close();
  await services?.docker.getImage(`${repository}:1`).remove({ force: true });
});

async function loseDatabase({ dataDir, databaseUrl }: RunningService): Promise<void> {
  rmSync(join(dataDir, 'database'), { recursive: true, force: true });
  if (databaseUrl === undefined) return;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('drop schema public cascade; create schema public');
  await client.end();
}

async function call(service: RunningService, server: string, tool: string, args: object = {}) {
  const session = await openSession(service.groupUrl());
  const { body } = await session.request('tools/call', { name: `${server}__${tool}`, arguments: args });
  return JSON.stringify(body.result ?? body);
}

withEngine('a volume and a writable layer are the same afterwards', async () => {
  if (!services) return;
  await imageWithVolume(services.docker, 'memory', repository);
  const images = { [name('volume')]: `${repository}:1`, [name('layer')]: testImage('memory') };
  const service = await services.run();
  const tools = Object.keys(images).flatMap((server) => [
    `${server}__read_graph`,
    `${server}__create_entities`,
  ]);
  for (const [server, image] of Object.entries(images)) {
    const { status, body } = await register(service, { name: server, image, pull: 'missing' });
    assert.is(status, 201, JSON.stringify(body));
  }
  await replaceTools(service, 'svc-global', tools);
  const ids: Record<string, string[]> = {};
  for (const server of Object.keys(images)) {
    const entity = { name: `of-${server}`, entityType: 'test', observations: [] };
    await call(service, server, 'create_entities', { entities: [entity] });
    ids[server] = (await services.containersOf(server)).map(({ id }) => id);
  }

  await service.kill9();
  await loseDatabase(service);
  await service.restart();

  for (const server of Object.keys(images)) {
    await waitUntil('its tools are listed', async () => (await readServer(service, server)).tool_count === 9);
    assert.match(await call(service, server, 'read_graph'), `of-${server}`);
    assert.equal(
      (await services.containersOf(server)).map(({ id }) => id),
      ids[server],
      'the same container, and no other',
    );
  }
});

test.run();
