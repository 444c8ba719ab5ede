/** One process on Postgres. */
import { suite } from 'uvu';
import { createTestDatabase } from '../support/postgres.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { type Fixture, fixtureTools, startFixture } from './fixture.ts';
import { openKit } from './kit.ts';
import { describeConformance } from './suite-contract.ts';

const test = suite('conformance, one process on Postgres');
const database = await createTestDatabase('conformance_single');
const kit = database === undefined ? undefined : await openKit();
let fixture: Fixture;
let service: RunningService;

test.before(async () => {
  if (kit === undefined || database === undefined) return;
  fixture = await startFixture(kit.fixturePath);
  service = await runService({ database, ...fixture.files });
  await fixtureTools(service, 'stdio');
  await fixtureTools(service, 'http');
});

test.after(async () => {
  await service?.remove();
  fixture?.stop();
});

describeConformance(test, kit, (server) => ({ url: service.groupUrl(server), server }));

test.run();
