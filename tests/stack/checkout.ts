/**
 * A copy of this project in a folder of its own, as a person checks it out, with free ports in `.env.example` and a
 * compose project of its own; what make starts there is taken away again with everything that belongs to it.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { type CommandResult, runCommand } from '../support/run-command.ts';
import { plainEnvironment, projectDir } from '../support/service-command.ts';

export interface Checkout {
  readonly dir: string;
  /** What compose calls it. */
  readonly project: string;
  readonly gatewayUrl: string;
  readonly managerUrl: string;
  make(target?: string, more?: NodeJS.ProcessEnv): Promise<CommandResult>;
  /** The compose command of this machine, as a person types it. */
  compose(...args: readonly string[]): Promise<CommandResult>;
  /** Id of a service's container, running or not. */
  container(service: string): Promise<string>;
  volumes(): Promise<readonly string[]>;
  docker(...args: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

/** @param composeCommand Its words, such as `docker compose`. */
export async function createCheckout(composeCommand: readonly string[]): Promise<Checkout> {
  const dir = mkdtempSync(join(tmpdir(), 'svc-mcp-stack-'));
  const project = `svcstack${randomBytes(4).toString('hex')}`;
  const [managerPort, gatewayPort] = [await freePort(), await freePort()];
  copyProject(dir);
  setPorts(join(dir, '.env.example'), managerPort, gatewayPort);
  const env = { ...plainEnvironment(), COMPOSE_PROJECT_NAME: project };
  const ofProject = `label=com.docker.compose.project=${project}`;

  async function docker(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await runCommand('docker', args, { cwd: dir, env });
    if (code !== 0) throw new Error(`docker ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  }
  const removeAll = async (kind: string, ids: string, ...options: readonly string[]) => {
    if (ids !== '') await docker(kind, 'rm', ...options, ...ids.split('\n'));
  };

  const container = (service: string) =>
    docker('ps', '-aq', '--filter', ofProject, '--filter', `label=com.docker.compose.service=${service}`);

  /** Known by the network that the manager joined. */
  const deployments = new Set<string>();
  async function deploymentOf(manager: string): Promise<string> {
    const [facts] = JSON.parse(await docker('inspect', manager));
    const names = Object.keys(facts.NetworkSettings.Networks);
    return names.find((name) => name.startsWith('svc-mcp-'))?.slice('svc-mcp-'.length) ?? 'none';
  }

  return {
    dir,
    project,
    docker,
    gatewayUrl: `http://127.0.0.1:${gatewayPort}`,
    managerUrl: `http://127.0.0.1:${managerPort}`,
    container,
    compose(...args) {
      const [command = '', ...words] = [...composeCommand, ...args];
      return runCommand(command, words, { cwd: dir, env, limitMs: 120_000 });
    },
    async make(target, more = {}) {
      const words = target === undefined ? [] : [target];
      const result = await runCommand('make', words, {
        cwd: dir,
        env: { ...env, ...more },
        limitMs: 300_000,
      });
      if (target === 'up' && result.code === 0)
        deployments.add(await deploymentOf(await container('manager')));
      return result;
    },
    async volumes() {
      const listed = await docker('volume', 'ls', '-q', '--filter', ofProject);
      return listed === '' ? [] : listed.split('\n');
    },
    async remove() {
      await removeAll('container', await docker('ps', '-aq', '--filter', ofProject), '--force', '--volumes');
      for (const deployment of deployments) {
        const ofDeployment = ['--filter', `label=svc-mcp.deployment=${deployment}`];
        await removeAll('container', await docker('ps', '-aq', ...ofDeployment), '--force', '--volumes');
        for (const kind of ['volume', 'network'])
          await removeAll(kind, await docker(kind, 'ls', '-q', ...ofDeployment));
      }
      for (const kind of ['volume', 'network']) {
        await removeAll(kind, await docker(kind, 'ls', '-q', '--filter', ofProject));
      }
      // The old command joins project and service with `_`, the new one with `-`.
      await removeAll(
        'image',
        await docker('image', 'ls', '-q', '--filter', `reference=${project}?*`),
        '--force',
      );
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function copyProject(target: string): void {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: projectDir,
    encoding: 'utf8',
  });
  const deleted = execFileSync('git', ['ls-files', '-z', '--deleted'], { cwd: projectDir, encoding: 'utf8' });
  const gone = new Set(deleted.split('\0'));
  for (const path of list.split('\0')) {
    if (path !== '' && !gone.has(path)) cpSync(join(projectDir, path), join(target, path));
  }
}

function setPorts(path: string, managerPort: number, gatewayPort: number): void {
  const text = readFileSync(path, 'utf8')
    .replace(/^#?MANAGER_PORT=.*$/m, `MANAGER_PORT=${managerPort}`)
    .replace(/^#?GATEWAY_PORT=.*$/m, `GATEWAY_PORT=${gatewayPort}`);
  writeFileSync(path, text);
}
