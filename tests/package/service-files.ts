/** The files of `deploy/` that start a service: read as their supervisor reads them, and what they start run by hand. */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as assert from 'uvu/assert';
import { freePort } from '../support/free-port.ts';
import { projectDir } from '../support/service-command.ts';
import { waitUntil } from '../support/wait-until.ts';

export interface Planned {
  readonly command: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/** What a unit of systemd starts, for a user whose home is `home`, and a machine whose services keep their state in `state`. */
export function readUnit(path: string, { home, state }: { home: string; state: string }): Planned {
  const text = readFileSync(join(projectDir, path), 'utf8').replaceAll('%S', state).replaceAll('%h', home);
  const of = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  const folders = of('StateDirectory').map((name) => join(state, name));
  for (const folder of folders) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const variables = of('Environment').map((line): [string, string] => {
    const at = line.indexOf('=');
    return [line.slice(0, at), line.slice(at + 1)];
  });
  return {
    command: (of('ExecStart')[0] ?? '').split(' '),
    variables: {
      ...Object.fromEntries(variables),
      ...(folders.length > 0 ? { STATE_DIRECTORY: folders.join(':') } : {}),
    },
  };
}

/** What launchd starts; undefined where there is no Python, whose library reads such files. */
export function readPropertyList(path: string): Planned | undefined {
  const script = 'import json, plistlib, sys; print(json.dumps(plistlib.load(open(sys.argv[1], "rb"))))';
  const { status, stdout, stderr, error } = spawnSync('python3', ['-c', script, join(projectDir, path)], {
    encoding: 'utf8',
  });
  if (error !== undefined) return undefined;
  assert.is(status, 0, stderr);
  const { Label: label, ProgramArguments: command, EnvironmentVariables: variables } = JSON.parse(stdout);
  assert.is(label, 'svc-mcp');
  return { command, variables };
}

/** @returns why systemd did not read it; undefined when it did, and complained of nothing. */
export function verifyUnit(path: string, scope: '--user' | '--system', scratch: string): string | undefined {
  const copy = join(scratch, basename(path));
  cpSync(join(projectDir, path), copy);
  const { status, stderr, error } = spawnSync('systemd-analyze', [scope, 'verify', copy], {
    encoding: 'utf8',
    env: { ...process.env, HOME: scratch, XDG_RUNTIME_DIR: scratch },
  });
  if (error) return 'systemd-analyze is not here';
  const complaints = stderr.split('\n').filter((line) => line.includes(basename(path)));
  assert.is(complaints.join('\n'), '');
  assert.is(status, 0, stderr);
  return undefined;
}

/** From the root folder, as supervisors do, until the service is ready; then it is told to end. */
export async function runPlanned({ command, variables }: Planned, env: NodeJS.ProcessEnv): Promise<void> {
  const MANAGER_PORT = String(await freePort());
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: '/',
    env: { ...variables, ...env, MANAGER_PORT, GATEWAY_PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  try {
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
    const isReady = async () => (await fetch(`http://127.0.0.1:${MANAGER_PORT}/readyz`)).ok;
    const isDecided = async () => hasEnded() || (await isReady());
    await waitUntil('the service is ready', isDecided, { limitMs: 120_000 });
    assert.not.ok(hasEnded(), `it ended:\n${output}`);
  } finally {
    child.kill('SIGTERM');
  }
  assert.is(await ended, 0, `it ends well when it is told to:\n${output}`);
}
