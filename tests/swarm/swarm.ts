/** `deploy/swarm/` on the engine of this machine, which is made a swarm for it and leaves it again. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addStandInImages } from '../stack/stand-in-images.ts';
import { freePort } from '../support/free-port.ts';
import { runCommand } from '../support/run-command.ts';
import { plainEnvironment, projectDir } from '../support/service-command.ts';
import { waitUntil } from '../support/wait-until.ts';

export interface Swarm {
  /** Of the proxy, on this machine. */
  readonly gatewayUrl: string;
  /** Replaces every task of the service, one after the other; resolves when it is done. */
  update(service: string, ...change: readonly string[]): Promise<void>;
  remove(): Promise<void>;
}

const image = 'svc-mcp:swarm-test';
const stack = 'svc-mcp-test';
const label = 'svc-mcp-manager';
const password = 'of-this-test-alone';

/** Undefined when the stack can be deployed here, else why not. */
export async function swarmProblem(): Promise<string | undefined> {
  if (process.env.LONG !== '1') return 'it takes some minutes, and runs with LONG=1 only';
  const { code, stdout } = await docker('info', '--format', '{{.Swarm.LocalNodeState}}').catch(failedCommand);
  if (code !== 0) return 'no container engine answers; shared/testbed/testbed.sh up starts one';
  return stdout.trim() === 'inactive' ? undefined : 'the engine is part of a swarm, which is not ours';
}

export async function deploySwarm(): Promise<Swarm> {
  const dir = mkdtempSync(join(tmpdir(), 'svc-mcp-swarm-'));
  const removeImages = await addStandInImages(['node:24-slim', 'postgres:15', 'haproxy:2.6']);
  const port = await freePort();
  async function remove(): Promise<void> {
    // Tasks end before their volumes go.
    await docker('stack', 'rm', stack).catch(failedCommand);
    await waitUntil('the tasks have ended', () => hasNoContainers(), { limitMs: 90_000, everyMs: 500 }).catch(
      () => {},
    );
    await docker('swarm', 'leave', '--force').catch(failedCommand);
    await waitUntil('the containers are gone', () => hasNoContainers('-a'), {
      limitMs: 60_000,
      everyMs: 500,
    });
    const { stdout } = await docker('volume', 'ls', '-q', '--filter', `name=${stack}_`);
    for (const volume of stdout.trim().split('\n')) await docker('volume', 'rm', volume).catch(failedCommand);
    await docker('rmi', image).catch(failedCommand);
    await removeImages();
    rmSync(dir, { recursive: true, force: true });
  }
  try {
    await must(
      'build',
      '-q',
      '-t',
      image,
      '--build-arg',
      'APP_UID=1000',
      '--build-arg',
      'APP_GID=1000',
      projectDir,
    );
    await must('swarm', 'init', '--advertise-addr', '127.0.0.1');
    await must('node', 'update', '--label-add', `${label}=true`, await nodeId());
    const settings = join(dir, 'settings');
    const tokens = 'GATEWAY_TOKEN=\nADMIN_TOKEN=\nALLOW_OPEN=1\n';
    writeFileSync(settings, `DATABASE_URL=postgres://postgres:${password}@postgres/postgres\n${tokens}`);
    await must('secret', 'create', 'svc_mcp_settings', settings);
    const files = [join(projectDir, 'deploy/swarm/stack.yml'), writeOverride(dir)];
    const env = { SVC_MCP_IMAGE: image, SVC_MCP_PORT: String(port) };
    await mustWith(env, 'stack', 'deploy', ...files.flatMap((file) => ['-c', file]), stack);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    gatewayUrl: `http://127.0.0.1:${port}`,
    update: (service, ...change) =>
      must('service', 'update', '--detach=false', '--quiet', ...change, `${stack}_${service}`),
    remove,
  };
}

/** What a person has elsewhere: a database, and the files of a group and a server. */
function writeOverride(dir: string): string {
  const group = {
    name: 'svc-global',
    description: '',
    included_tools: ['everything__echo', 'everything__trigger-long-running-operation'],
  };
  const server = {
    name: 'everything',
    transport: 'stdio',
    command: 'node',
    args: ['node_modules/@modelcontextprotocol/server-everything/dist/index.js', 'stdio'],
  };
  writeFileSync(join(dir, 'svc-global.json'), JSON.stringify(group));
  writeFileSync(join(dir, 'everything.json'), JSON.stringify(server));
  const files = [
    { source: 'group', target: '/app/groups/svc-global.json' },
    { source: 'server', target: '/app/configs/everything.json' },
  ];
  const override = {
    version: '3.8',
    services: {
      manager: { configs: files },
      postgres: {
        image: 'postgres:15',
        environment: { POSTGRES_PASSWORD: password },
        networks: ['inside'],
        deploy: { endpoint_mode: 'dnsrr' },
      },
    },
    configs: {
      group: { file: join(dir, 'svc-global.json') },
      server: { file: join(dir, 'everything.json') },
    },
  };
  const path = join(dir, 'override.yml');
  writeFileSync(path, JSON.stringify(override));
  return path;
}

async function nodeId(): Promise<string> {
  return (await docker('info', '--format', '{{.Swarm.NodeID}}')).stdout.trim();
}

/** Those that have ended hold volumes and images for a moment, with `-a`. */
async function hasNoContainers(...options: readonly '-a'[]): Promise<boolean> {
  const ofStack = `label=com.docker.stack.namespace=${stack}`;
  const { code, stdout } = await docker('ps', '-q', ...options, '--filter', ofStack).catch(failedCommand);
  return code === 0 && stdout.trim() === '';
}

function docker(...args: readonly string[]) {
  return dockerWith({}, ...args);
}

function dockerWith(env: NodeJS.ProcessEnv, ...args: readonly string[]) {
  const all = { ...plainEnvironment(), ...env };
  return runCommand('docker', args, { cwd: projectDir, env: all, limitMs: 400_000 });
}

const must = (...args: readonly string[]) => mustWith({}, ...args);

async function mustWith(env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await dockerWith(env, ...args);
  if (code !== 0) throw new Error(`docker ${args[0]} ${args[1]}: ${stdout}${stderr}`);
}

function failedCommand() {
  return { code: null, stdout: '', stderr: '' };
}
