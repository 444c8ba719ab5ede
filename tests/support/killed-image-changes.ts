/**
 * `kill -9` between any two steps of an update or a rollback: after the next start the server is of the old image or the new
 * one wholly, serves, has its data, and nothing else of it is left.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openContainerServices } from './container-services.ts';
import type { KillPoint } from './killed-service.ts';
import { createTestDatabase } from './postgres.ts';
import { type Made, openUpdatableServers, type UpdatableServers } from './updatable-servers.ts';

/** Before which request the service is killed, and which image the server is of then. */
export type ImageSteps = Readonly<
  Record<string, { readonly at: KillPoint; readonly becomes: Made | 'either' }>
>;

export interface KilledImageChange {
  readonly act: 'update' | 'rollback';
  readonly hasVolume: boolean;
  readonly steps: ImageSteps;
}

/** A suite with one test for each step. */
export async function killedImageChanges(mark: string, changes: readonly KilledImageChange[]) {
  const test = suite(`a service that is killed while a server gets another image, ${mark}`);
  const services = await openContainerServices();
  const databaseUrl = services && (await createTestDatabase(`killed_${mark}`));
  const withAll = services && databaseUrl ? test : test.skip;
  if (services && !databaseUrl) console.error('kills between steps: skipped, there is no Postgres');
  let servers: UpdatableServers | undefined;

  test.before(async () => {
    if (services && databaseUrl) servers = await openUpdatableServers(services, databaseUrl);
  });
  test.after(async () => {
    await (servers ?? services)?.close();
  });

  for (const { act, hasVolume, steps } of changes) {
    const kind = hasVolume ? 'with' : 'without';
    for (const [index, [step, { at, becomes }]] of Object.entries(steps).entries()) {
      withAll(`${act} ${kind} a volume, before ${step}: ${becomes}`, async () => {
        if (!services || !servers) return;
        const present = servers;
        const name = services.name(`${act}-${kind}-${index}`);
        await present.begin(name, hasVolume);
        if (act === 'rollback') await present.post(name, 'update');

        await present.killed.killAt(at, () => present.post(name, act));

        const made = await present.madeOf(name, hasVolume);
        if (becomes !== 'either') assert.is(made, madeBy(act, becomes));
        await present.assertServes(name, made);
        await present.remove(name);
      });
    }
  }
  return test;
}

/** What a rollback goes to is the image that the server had first. */
function madeBy(act: KilledImageChange['act'], becomes: Made): Made {
  if (act === 'update') return becomes;
  return becomes === 'old' ? 'new' : 'old';
}
