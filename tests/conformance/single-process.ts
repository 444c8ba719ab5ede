/** One process between the suite and the fixture, which is behind it over both transports. */
import type { suite } from 'uvu';
import { type RunningService, runService } from '../support/run-service.ts';
import { type Fixture, fixtureTools, startFixture } from './fixture.ts';
import type { Kit } from './kit.ts';
import { describeConformance } from './suite-contract.ts';

/** @param database `embedded`, or the URL of a Postgres database. */
export function describeSingleProcess(
  test: ReturnType<typeof suite>,
  kit: Kit | undefined,
  database: string,
): void {
  let fixture: Fixture;
  let service: RunningService;

  test.before(async () => {
    if (kit === undefined) return;
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
}
