/** One process with its embedded database. */
import { suite } from 'uvu';
import { type RunningService, runService } from '../support/run-service.ts';
import { type Fixture, fixtureTools, startFixture } from './fixture.ts';
import { openKit } from './kit.ts';
import { describeConformance } from './suite-contract.ts';

const test = suite('conformance, one process, embedded database');
const kit = await openKit();
let fixture: Fixture;
let service: RunningService;

test.before(async () => {
  if (kit === undefined) return;
  fixture = await startFixture(kit.fixturePath);
  service = await runService({ database: 'embedded', ...fixture.files });
  await fixtureTools(service, 'stdio');
  await fixtureTools(service, 'http');
});

test.after(async () => {
  await service?.remove();
  fixture?.stop();
});

describeConformance(test, kit, (server) => ({ url: service.groupUrl(server), server }));

test.run();
