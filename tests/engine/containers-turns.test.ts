/** Containers that take turns on a real engine: what one wrote, the next one has, and the older one again when that fails. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ServerConfig } from '../../lib/config/server-config.ts';
import { type ContainerServers, startContainerServers } from '../support/container-servers.ts';
import { openTestbed, testImage } from '../support/testbed.ts';
import { failureOf } from '../support/upstream-fixture.ts';

const test = suite('containers that take turns on their data');
const bed = await openTestbed();
const onlyOnNewData = `
  import { existsSync } from 'node:fs';
  if (existsSync('/data/memory.json')) process.exit(3);
  await import('/app/node_modules/@modelcontextprotocol/server-memory/dist/index.js');
`;

if (bed) {
  const { name } = bed;
  let servers: ContainerServers;
  const kept = (fields: Partial<ServerConfig> = {}) =>
    servers.config('kept', {
      image: testImage('memory'),
      volumes: [{ path: '/data', source: undefined, readOnly: false }],
      ...fields,
    });
  const call = (tool: string, args = {}) => servers.service().callText(name('kept'), tool, args);
  const remember = (entity: string) =>
    call('create_entities', { entities: [{ name: entity, entityType: 'thing', observations: [] }] });
  const tryOut = (config: ServerConfig) => servers.service().upstreams.prepare({ ...config, isTryOut: true });

  test.before(async () => {
    servers = await startContainerServers(bed, ['memory', 'broken']);
    await servers.add(kept());
    await remember('first');
  });
  test.after(() => servers.close());

  test('a try-out sees nothing of the data, and leaves nothing', async () => {
    const { Id: id } = await servers.container('kept').inspect();

    const candidate = await tryOut(kept({ env: { COLOUR: 'blue' } }));
    await servers.isPresent('kept', 'running', 'running');
    await candidate.discard();

    await servers.isPresent('kept', 'running');
    assert.is((await servers.container('kept').inspect()).Id, id);
    assert.match(await call('read_graph'), 'first');
  });

  test('the next one has what the older one wrote, and only one of them was on it', async () => {
    const { Id: id } = await servers.container('kept').inspect();
    const candidate = await tryOut(kept({ env: { COLOUR: 'blue' } }));
    const late = remember('late');

    await candidate.commit();
    await late;

    assert.match(await call('read_graph'), 'first');
    assert.match(await call('read_graph'), 'late');
    await servers.isPresent('kept', 'running');
    const after = await servers.container('kept').inspect();
    assert.is.not(after.Id, id);
    assert.ok(after.Config.Env.includes('COLOUR=blue'));
  });

  test('one that starts on scratch data only: the very container of before serves again, with its data', async () => {
    const { Id: id } = await servers.container('kept').inspect();
    const candidate = await tryOut(
      kept({ entrypoint: ['node', '--input-type=module', '-e', onlyOnNewData] }),
    );
    const swap = failureOf(candidate.commit());
    const graph = call('read_graph');

    assert.match((await swap).message, 'its container ended with exit code 3');

    assert.match(await graph, 'late');
    await servers.isPresent('kept', 'running');
    assert.is((await servers.container('kept').inspect()).Id, id);
  });
}

test.run();
