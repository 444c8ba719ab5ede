import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAbsentOwner } from '../../../lib/container-host/container-owner.ts';
import { engineProblem, engineSilent } from '../../../lib/containers/docker/engine-failures.ts';
import { createDockerContainers } from '../../../lib/containers/docker/node-docker-containers.ts';
import { elsewhere } from '../../../lib/containers/images/provision-steps.ts';
import { silentLog } from '../../../lib/log.ts';
import { freePort } from '../../support/free-port.ts';

const test = suite('an engine that cannot be used');

const problemAt = (dockerHost: string) =>
  createDockerContainers({
    ...{ dockerHost, deploymentId: 'away', managerRunsInContainer: false, log: silentLog },
  }).problem();

test('a socket that is not there is named', async () => {
  const problem = await problemAt('unix:///nowhere/engine.sock');

  assert.match(problem ?? '', 'no socket of a container engine at /nowhere/engine.sock');
  assert.match(problem ?? '', '`DOCKER_HOST`');
});

test('a port where nobody listens is named, and no user info', async () => {
  const port = await freePort();
  const problem = await problemAt(`tcp://somebody:canary@127.0.0.1:${port}`);

  assert.match(problem ?? '', `No container engine listens at 127.0.0.1:${port}`);
  assert.not.match(problem ?? '', /canary|somebody/);
});

test('a socket that this process may not use is said so, with the remedy', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-socket-'));
  const path = join(folder, 'engine.sock');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  chmodSync(path, 0o600);
  chmodSync(folder, 0o755);
  const dial = `require('node:net').connect(${JSON.stringify(path)})
    .on('error', ({ code, address }) => console.log(JSON.stringify({ code, address })))
    .on('connect', () => process.exit(1))`;
  try {
    // Root may use any; of another user the operating system's word is taken.
    const isRoot = process.getuid?.() === 0;
    const { stdout } = spawnSync(process.execPath, ['-e', dial], isRoot ? { uid: 65_534, gid: 65_534 } : {});
    const cause = stdout.length > 0 ? JSON.parse(String(stdout)) : { code: 'EACCES', address: path };

    assert.match(engineProblem(cause), 'may not use the socket of the container engine (permission denied)');
    assert.match(engineProblem(cause), '`make up` once');
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('what is not known is not explained', () => {
  assert.is(engineProblem(undefined), engineSilent);
  assert.is(engineProblem(Object.assign(new Error('x'), { code: 'ECONNRESET' })), engineSilent);
});

test('another process is only named when there is one', async () => {
  const state: { owner?: { processId: string }; problem?: string } = { problem: 'The engine is away.' };
  const absent = createAbsentOwner({
    current: async () => state.owner,
    processId: 'me',
    problem: async () => state.problem,
  });

  assert.is(await absent.reason(), 'the engine is away');
  assert.is(absent.known(), 'the engine is away');
  state.owner = { processId: 'me' };
  assert.is(await absent.reason(), 'the engine is away');
  state.owner = { processId: 'other' };
  assert.is(await absent.reason(), elsewhere);
  assert.is(absent.known(), undefined);
  delete state.owner;
  delete state.problem;
  assert.match(await absent.reason(), 'no process looks after its container yet');
});

test('a database that is away does not hide what the engine says', async () => {
  const absent = createAbsentOwner({
    current: () => Promise.reject(new Error('away')),
    processId: 'me',
    problem: async () => 'The engine is away.',
  });

  assert.is(await absent.reason(), 'the engine is away');
});

test.run();
