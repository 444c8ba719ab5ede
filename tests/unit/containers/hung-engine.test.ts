/** An engine that takes every request and answers none. */
import { createServer, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDockerClient } from '../../../lib/containers/docker/node-docker-client.ts';
import { createDockerContainers } from '../../../lib/containers/docker/node-docker-containers.ts';
import { createDockerNetwork } from '../../../lib/containers/docker/node-docker-network.ts';
import { silentLog } from '../../../lib/log.ts';
import { freePort } from '../../support/free-port.ts';
import { failureOf } from '../../support/upstream-fixture.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('an engine that hangs');
const sockets = new Set<Socket>();
const engine = createServer((socket) => {
  sockets.add(socket.resume());
  socket.on('error', () => {}).on('close', () => sockets.delete(socket));
});
let dockerHost = '';
let asked = 0;

test.before(async () => {
  const port = await freePort();
  await new Promise<void>((resolve) => engine.listen(port, '127.0.0.1', resolve));
  engine.on('connection', () => asked++);
  dockerHost = `tcp://127.0.0.1:${port}`;
});
test.after(() => {
  for (const socket of sockets) socket.destroy();
  engine.close();
});

test('does not keep a socket for each look at it', async () => {
  const options = { dockerHost, deploymentId: 'hung', managerRunsInContainer: false, log: silentLog };

  assert.is(await createDockerContainers(options).problem(), 'The container engine does not answer.');

  assert.is(asked, 1);
  await waitUntil('its socket is closed', () => sockets.size === 0);
});

test('does not keep a socket for each look for the network', async () => {
  const client = createDockerClient(dockerHost);
  const network = createDockerNetwork({
    client: { ...client, run: (work) => client.run(work, 50) },
    ...{ name: 'svc-mcp-hung', deploymentId: 'hung', ownContainer: undefined, log: silentLog },
    project: async () => undefined,
    onShared() {},
  });

  const before = asked;

  // Under load the limit may be over before the look has reached the engine.
  await waitUntil('the engine is asked', async () => {
    assert.is((await failureOf(network.ensure())).message, 'The container engine does not answer.');
    return asked > before;
  });

  await waitUntil('its socket is closed', () => sockets.size === 0);
});

test('what the service has mounted itself is not taken for nothing while nobody can tell', async () => {
  const containers = createDockerContainers({
    ...{ dockerHost: `tcp://127.0.0.1:${await freePort()}`, deploymentId: 'away', log: silentLog },
    ...{ managerRunsInContainer: true, ownContainer: 'service' },
  });

  assert.is((await failureOf(containers.ownMounts())).code, 'provision_failed');
});

test.run();
