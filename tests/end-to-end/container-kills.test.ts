/**
 * `kill -9` of the service, in each step of a provision and at rest: after the next start what is there is what is
 * registered, and containers that were up still serve, with the same id. `LONG=1`: ten times each step.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openContainerServices } from '../support/container-services.ts';
import { manage, readServer, replaceTools } from '../support/manager-api.ts';
import { openSession } from '../support/mcp-client.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { leftoversOf, type ProvisionEvent, provision, provisionStreamed } from '../support/provisioning.ts';
import type { RunningService } from '../support/run-service.ts';
import { testImage } from '../support/testbed.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('a service that is killed among its containers');
const services = await openContainerServices();
const database = services && (await createTestDatabase('kills'));
const withEngine = services ? test : test.skip;
const rounds = process.env.LONG === '1' ? 10 : 1;
const resting = services?.name('resting') ?? 'resting';
let service: RunningService;

test.before(async () => {
  if (!services) return;
  service = await services.run({ database: database ?? 'embedded' });
  const { status, body } = await provision(service, { name: resting, image: testImage('memory') });
  assert.is(status, 201, JSON.stringify(body));
  await replaceTools(service, 'svc-global', [`${resting}__read_graph`, `${resting}__create_entities`]);
});

test.after(() => services?.close());

async function isWhole(server: string): Promise<boolean> {
  const record = await readServer(service, server);
  const containers = (await services?.containersOf(server)) ?? [];
  return record?.tool_count > 0 && record.running && containers.length === 1;
}

/** Nothing is left of it, or it is registered and runs. */
async function isNothingOrWhole(server: string): Promise<boolean> {
  if (!services) return false;
  return (await leftoversOf(services, service, server)).length === 0 || (await isWhole(server));
}

for (const step of ['pull', 'start', 'ready', 'register'] as const) {
  withEngine(
    `killed at the step ${step}, ${rounds} times: the next start leaves nothing half done`,
    async () => {
      for (let round = 0; round < rounds; round += 1) {
        const server = services?.name(`${step}${round}`) ?? '';
        let killed: Promise<void> | undefined;
        const onEvent = ({ data }: ProvisionEvent) => {
          if (data.step === step) killed ??= service.kill9();
        };
        const body = {
          name: server,
          image: testImage('everything'),
          env_vars: { TOKEN: 'of-one-cut-short' },
        };
        await provisionStreamed(service, body, onEvent).catch(() => {});
        assert.ok(killed, 'the step was not told');
        await killed;

        await service.restart();

        await waitUntil('nothing is half done', () => isNothingOrWhole(server), { limitMs: 15_000 });
        assert.is(await readServer(service, resting).then(({ tool_count }) => tool_count), 9);
      }
    },
  );
}

withEngine('killed while its server does not answer: nothing is left, and the name is free', async () => {
  const server = services?.name('silence') ?? '';
  let killed: Promise<void> | undefined;
  const onEvent = ({ data }: ProvisionEvent) => {
    if (data.step === 'ready') setTimeout(() => (killed ??= service.kill9()), 1_500);
  };
  await provisionStreamed(service, { name: server, image: testImage('silent') }, onEvent).catch(() => {});
  await killed;
  assert.is((await services?.containersOf(server))?.length, 1);

  await service.restart();

  await waitUntil('nothing is left', async () => {
    return services && (await leftoversOf(services, service, server)).length === 0;
  });
  assert.is((await provision(service, { name: server, image: testImage('memory') })).status, 201);
});

withEngine('killed at rest: its containers go on with the same id and what they know', async () => {
  const session = await openSession(service.groupUrl());
  const entities = [{ name: 'Ada', entityType: 'person', observations: [] }];
  await session.request('tools/call', { name: `${resting}__create_entities`, arguments: { entities } });
  const before = await services?.containersOf(resting);

  await service.kill9();
  await service.restart();

  const { body } = await session.request('tools/call', { name: `${resting}__read_graph` });
  assert.is(body.result.structuredContent.entities[0]?.name, 'Ada');
  assert.equal(await services?.containersOf(resting), before);
});

withEngine('ended in order its containers run on, too', async () => {
  const before = await services?.containersOf(resting);

  assert.is(await service.stop(), 0);
  assert.equal(await services?.containersOf(resting), before);
  await service.restart();

  await waitUntil('it is connected', async () => (await readServer(service, resting)).connected_at);
  assert.equal(await services?.containersOf(resting), before);
});

withEngine('what was removed while the service was away is there again, with its tools', async () => {
  const [before] = (await services?.containersOf(resting)) ?? [];
  await service.kill9();
  await services?.docker.getContainer(before?.id ?? '').remove({ force: true });

  await service.restart();

  await waitUntil('it runs', async () => (await readServer(service, resting)).status === 'running');
  const { servers } = await manage(service, 'GET', '/api/tools');
  assert.is(servers[resting].length, 9);
  assert.is((await services?.containersOf(resting))?.length, 1);
});

test.run();
