import * as assert from 'uvu/assert';
import type { ContainerServices } from './container-services.ts';
import { replaceTools } from './manager-api.ts';
import { openSession, type PlainSession } from './mcp-client.ts';
import { provision } from './provisioning.ts';
import type { RunningService } from './run-service.ts';
import { testImage } from './testbed.ts';

/** The server itself needs about one second from its start to an answer; the promise counts from then. */
export const healedWithinMs = 5_000 + 2_000;

/** A service with one server in a container, and a session that is shown its `echo` alone, to be put under load. */
export async function openLoadedContainer(
  services: ContainerServices,
  server: string,
): Promise<{ readonly service: RunningService; readonly session: PlainSession }> {
  const service = await services.run();
  const { status, body } = await provision(service, { name: server, image: testImage('everything') });
  assert.is(status, 201, JSON.stringify(body));
  await replaceTools(service, 'svc-global', [`${server}__echo`]);
  return { service, session: await openSession(service.groupUrl()) };
}
