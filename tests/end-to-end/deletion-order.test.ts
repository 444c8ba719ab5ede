/**
 * DELETE of container servers, watched from outside, 50 times: the container stops, then the tools are in no list any more,
 * then the file is gone. Each watcher looks without pause for the later thing, and once that has happened asks for the
 * earlier one, which must be so by then.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openContainerServices } from '../support/container-services.ts';
import { manage, replaceTools, toolsOf } from '../support/manager-api.ts';
import { openSession, type PlainSession } from '../support/mcp-client.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { provision } from '../support/provisioning.ts';
import type { RunningService } from '../support/run-service.ts';
import { testImage } from '../support/testbed.ts';

const test = suite('the order of a deletion');
const services = await openContainerServices();
const database = services && (await createTestDatabase('deletions'));
const withEngine = services ? test : test.skip;
const rounds = 10;
const together = 5;
let service: RunningService;
let session: PlainSession;

test.before(async () => {
  if (!services) return;
  service = await services.run({ database: database ?? 'embedded' });
  session = await openSession(service.groupUrl());
});

test.after(() => services?.close());

const toolOf = (server: string) => `${server}__read_graph`;

/** Whether agents and people still see the server's tool, in each list that there is. */
const lists: Readonly<Record<string, (server: string) => Promise<boolean>>> = {
  'tools/list': async (server) => {
    const { body } = await session.request('tools/list');
    return body.result.tools.some(({ name }: { name: string }) => name === toolOf(server));
  },
  'GET /api/v0/tools': async (server) => {
    const text = await (await fetch(`${service.gatewayUrl}/api/v0/tools`)).text();
    return text.includes(toolOf(server));
  },
  'GET /api/tools': async (server) => (await toolsOf(service, server)).length > 0,
};

const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve, 1));

/** Of each thing that came too early what was still there. */
async function watchDeletion(server: string): Promise<string[]> {
  const file = join(service.configsDir, `${server}.json`);
  const [container] = (await services?.containersOf(server)) ?? [];
  const early: string[] = [];

  async function untilUnlisted([list, has]: [string, (server: string) => Promise<boolean>]): Promise<void> {
    while (await has(server)) await nextTurn();
    const facts = await services?.docker
      .getContainer(container?.id ?? '')
      .inspect()
      .catch(() => undefined);
    if (facts?.State.Running) early.push(`${list}: the container runs`);
  }

  async function untilFileIsGone(): Promise<void> {
    while (existsSync(file)) await nextTurn();
    const listed = Object.entries(lists).map(async ([list, has]) => {
      if (await has(server)) early.push(`file: ${list} has its tool`);
    });
    await Promise.all(listed);
  }

  const watching = [...Object.entries(lists).map(untilUnlisted), untilFileIsGone()];
  await manage(service, 'DELETE', `/api/servers/${server}`);
  if (existsSync(file)) early.push('answer: the file is there');
  await Promise.all(watching);
  return early;
}

withEngine(`the container stops, the tools go, the file goes: ${rounds * together} times`, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const names = Array.from(
      { length: together },
      (_, at) => services?.name(`o${round * together + at}`) ?? '',
    );
    const made = await Promise.all(
      names.map((name) => provision(service, { name, image: testImage('memory') })),
    );
    assert.equal(
      made.map(({ status }) => status),
      names.map(() => 201),
    );
    await replaceTools(service, 'svc-global', names.map(toolOf));

    const early = await Promise.all(names.map(watchDeletion));

    assert.equal(early.flat(), []);
    await replaceTools(service, 'svc-global', []);
    for (const name of names) assert.equal(await services?.containersOf(name), []);
  }
});

test.run();
