import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { StoredServer, StoredTool } from '../../../lib/catalog/catalog.ts';
import { parseServerConfig } from '../../../lib/catalog/parse-server-config.ts';
import { createImageUpdates } from '../../../lib/containers/image-updates.ts';
import { Failure } from '../../../lib/http/failure.ts';
import type { UpstreamStatus } from '../../../lib/upstreams/upstreams.ts';
import { createRecordingLog } from '../../support/recording-log.ts';

const test = suite('newer images under the same tag');

function serverWith(...tools: readonly [name: string, hash: string][]): StoredServer {
  const config = parseServerConfig({ name: 'boxed', transport: 'stdio', image: 'a:1' });
  return { name: 'boxed', config, tools: tools.map(([name, hash]) => ({ name, hash }) as StoredTool) };
}

const before = serverWith(['stays', '1'], ['goes', '1'], ['differs', '1']);
const after = serverWith(['stays', '1'], ['differs', '2'], ['comes', '1']);

function world() {
  const { log, logged } = createRecordingLog();
  const state = { imageId: 'old', localId: 'old', callsInFlight: 0, running: true, starts: true };
  const restarts: string[] = [];
  const updates = createImageUpdates({
    containers: { image: async () => ({ id: state.localId, ports: [], volumes: [], digests: [] }) },
    keeper: {
      status: (server) => ({
        name: server,
        status: state.running ? 'running' : 'exited',
        running: state.running,
        imageId: state.imageId,
      }),
    },
    upstreams: { status: () => ({ callsInFlight: state.callsInFlight }) as UpstreamStatus },
    registry: {
      async restart(name) {
        restarts.push(name);
        if (!state.starts) throw new Failure('upstream_unavailable', 'It does not start.');
        return after;
      },
    },
    metrics: { countRepair() {} },
    log,
  });
  return { state, updates, restarts, logged };
}

test('the same image is left alone', async () => {
  const { updates, restarts } = world();

  await updates.look(before);

  assert.equal(restarts, []);
});

test('a newer one is taken, and the log says how the tools differ', async () => {
  const { state, updates, restarts, logged } = world();
  state.localId = 'new';

  await updates.look(before);

  assert.equal(restarts, ['boxed']);
  const { added, removed, changed } = logged.at(-1)?.fields ?? {};
  assert.equal([added, removed, changed], [['comes'], ['goes'], ['differs']]);
});

test('it waits for a moment without calls, but not for ever', async () => {
  const { state, updates, restarts } = world();
  state.localId = 'new';
  state.callsInFlight = 1;

  for (let look = 1; look < 10; look += 1) await updates.look(before);
  assert.equal(restarts, []);

  await updates.look(before);
  assert.equal(restarts, ['boxed']);
});

test('a server that does not run keeps what it has until it starts', async () => {
  const { state, updates, restarts } = world();
  state.localId = 'new';
  state.running = false;

  await updates.look(before);

  assert.equal(restarts, []);
});

test('an image that does not start is tried once, the next one again', async () => {
  const { state, updates, restarts } = world();
  Object.assign(state, { localId: 'broken', starts: false });

  await updates.look(before);
  await updates.look(before);
  assert.is(restarts.length, 1);

  state.localId = 'mended';
  await updates.look(before);
  assert.is(restarts.length, 2);
});

test.run();
