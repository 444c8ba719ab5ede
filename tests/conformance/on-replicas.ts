/** The official suite against replicas behind a round robin: every request goes to another one than the request before it. */
import { suite } from 'uvu';
import { createTestDatabase } from '../support/postgres.ts';
import { withFairShares } from './fair-shares.ts';
import { type Fixture, fixtureTools, startFixture } from './fixture.ts';
import { openKit } from './kit.ts';
import type { ReplicaOptions, Replicas } from './replicas.ts';
import { describeConformance } from './suite-contract.ts';

export async function suiteOnReplicas(
  name: string,
  start: (options: ReplicaOptions) => Promise<Replicas>,
): Promise<ReturnType<typeof suite>> {
  const test = suite(`conformance, ${name}, requests dealt round robin`);
  const database = await createTestDatabase('conformance_replicas');
  const kit = database === undefined ? undefined : await openKit();
  let fixture: Fixture;
  let replicas: Replicas;

  test.before(async () => {
    if (kit === undefined || database === undefined) return;
    fixture = await startFixture(kit.fixturePath);
    replicas = await start({ database, ...fixture.files });
    await fixtureTools(replicas.manager, 'stdio');
    await fixtureTools(replicas.manager, 'http');
  });

  test.after(async () => {
    await replicas?.remove();
    fixture?.stop();
  });

  const watched = kit && withFairShares(kit, () => replicas.roundRobin.counts());
  describeConformance(test, watched, (server) => ({ url: replicas.groupUrl(server), server }));
  return test;
}
