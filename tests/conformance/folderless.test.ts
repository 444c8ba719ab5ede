/** Three gateways without any folder, one manager and one Postgres; every request goes to another gateway. */
import { suite } from 'uvu';
import { createTestDatabase } from '../support/postgres.ts';
import { withFairShares } from './fair-shares.ts';
import { type Fixture, fixtureTools, startFixture } from './fixture.ts';
import { openKit } from './kit.ts';
import { type Replicas, startFolderlessReplicas } from './replicas.ts';
import { describeConformance } from './suite-contract.ts';

const test = suite('conformance, three gateways without folders, requests dealt round robin');
const database = await createTestDatabase('conformance_folderless');
const kit = database === undefined ? undefined : await openKit();
let fixture: Fixture;
let replicas: Replicas;

test.before(async () => {
  if (kit === undefined || database === undefined) return;
  fixture = await startFixture(kit.fixturePath);
  replicas = await startFolderlessReplicas({ database, ...fixture.files });
  await fixtureTools(replicas.manager, 'stdio');
  await fixtureTools(replicas.manager, 'http');
});

test.after(async () => {
  await replicas?.remove();
  fixture?.stop();
});

const watched = kit && withFairShares(kit, () => replicas.roundRobin.counts());
describeConformance(test, watched, (server) => ({ url: replicas.groupUrl(server), server }));

test.run();
