/**
 * `kill -9` between any two steps of an act on one server: after the next start the server is there with all that belongs to
 * it, or nothing of it is.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ContainerServices, openContainerServices } from './container-services.ts';
import { type KilledService, type KillPoint, openKilledService } from './killed-service.ts';
import { manage, readServer, toolsOf } from './manager-api.ts';
import { createTestDatabase } from './postgres.ts';
import { leftoversOf, register } from './provisioning.ts';
import { testImage } from './testbed.ts';
import { waitUntil } from './wait-until.ts';

export type Outcome = 'whole' | 'gone';

/** An act in its steps: before which request the service is killed, and what the server is after the next start. */
export type Steps = Readonly<
  Record<string, { readonly at: KillPoint; readonly becomes: Outcome | 'either' }>
>;

export interface KillableServers {
  readonly killed: KilledService;
  /** A server with a secret and a volume. */
  provision(name: string): Promise<void>;
  delete(name: string): Promise<void>;
  isThere(name: string): Promise<boolean>;
  /** What became of it, once it is one or the other; fails when it stays half done. */
  outcomeOf(name: string): Promise<Outcome>;
}

/** @param act Begins what is cut short. @param prepare Before it. */
export interface KilledAct {
  readonly verb: string;
  readonly steps: Steps;
  prepare(servers: KillableServers, name: string): Promise<void>;
  act(servers: KillableServers, name: string): Promise<unknown>;
}

/** A suite with one test for each step; more may be added to it before it is run. */
export async function killedSuite({ verb, steps, prepare, act }: KilledAct) {
  const test = suite(`a service that is killed while a server is ${verb}`);
  const services = await openContainerServices();
  const database = services && (await createTestDatabase(`killed_${verb}`));
  const withAll = services && database ? test : test.skip;
  if (services && !database) console.error('kills between steps: skipped, there is no Postgres');
  let servers: KillableServers | undefined;

  test.before(async () => {
    if (services && database) servers = createServers(services, await openKilledService(services, database));
  });
  test.after(async () => {
    await services?.close();
    await servers?.killed.close();
  });

  for (const [step, { at, becomes }] of Object.entries(steps)) {
    withAll(`before ${step}: it is ${becomes}`, async () => {
      if (!services || !servers) return;
      const present = servers;
      const name = services.name(verb.slice(0, 8));
      await prepare(present, name);

      await present.killed.killAt(at, () => act(present, name));

      const outcome = await present.outcomeOf(name);
      if (becomes !== 'either') assert.is(outcome, becomes);
    });
  }
  return { test, withAll, servers: () => servers };
}

function createServers(services: ContainerServices, killed: KilledService): KillableServers {
  const { service } = killed;
  const leftOf = (name: string) => leftoversOf(services, service, name);

  async function isWhole(name: string): Promise<boolean> {
    const record = await readServer(service, name);
    return (
      record?.running &&
      record.tool_count === 9 &&
      record.missing_variables === undefined &&
      (await services.containersOf(name)).length === 1 &&
      (await services.volumesOf(name)).length === 1 &&
      existsSync(join(service.configsDir, `${name}.json`)) &&
      (await toolsOf(service, name)).length === 9
    );
  }

  return {
    killed,
    async provision(name) {
      const env = { TOKEN: 'of-one-cut-short' };
      const config = { name, image: testImage('memory'), env, volumes: [{ path: '/data' }] };
      const { status, body } = await register(service, config);
      assert.is(status, 201, JSON.stringify(body));
    },
    delete: (name) => manage(service, 'DELETE', `/api/servers/${name}`),
    isThere: async (name) => (await readServer(service, name)) !== undefined,
    async outcomeOf(name) {
      const outcome = async (): Promise<Outcome | undefined> => {
        if ((await leftOf(name)).length === 0) return 'gone';
        return (await isWhole(name)) ? 'whole' : undefined;
      };
      return await waitUntil('nothing is half done', outcome, { limitMs: 20_000 }).catch(async (error) => {
        throw new Error(`${error.message}: ${(await leftOf(name)).join(', ')}`);
      });
    },
  };
}
