/** Three replicas on one Postgres; every request goes to another one than the request before it. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTestDatabase } from '../support/postgres.ts';
import { type Fixture, fixtureTools, startFixture } from './fixture.ts';
import { openKit } from './kit.ts';
import { type Replicas, startReplicas } from './replicas.ts';
import { describeConformance } from './suite-contract.ts';

const test = suite('conformance, three replicas, requests dealt round robin');
const database = await createTestDatabase('conformance_replicas');
const kit = database === undefined ? undefined : await openKit();
let fixture: Fixture;
let replicas: Replicas;

test.before(async () => {
  if (kit === undefined || database === undefined) return;
  fixture = await startFixture(kit.fixturePath);
  replicas = await startReplicas({ database, ...fixture.files });
  await fixtureTools(replicas.manager, 'stdio');
  await fixtureTools(replicas.manager, 'http');
});

test.after(async () => {
  await replicas?.remove();
  fixture?.stop();
});

describeConformance(test, kit, (server) => ({ url: replicas.groupUrl(server), server }));

(kit ? test : test.skip)('every replica has answered as many requests as the others', () => {
  const counts = replicas.roundRobin.counts();

  assert.ok(Math.min(...counts) > 100, counts.join());
  assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, counts.join());
});

test.run();
