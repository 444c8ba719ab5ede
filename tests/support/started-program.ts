/** The service as any command starts it, with ports that are free unless its environment names some. */
import { spawn } from 'node:child_process';
import type { RunCommandOptions } from './run-command.ts';
import { waitUntil } from './wait-until.ts';

export interface StartedProgram {
  readonly managerUrl: string;
  readonly gatewayUrl: string;
  /** What its log says when it is ready. */
  readonly ready: Readonly<Record<string, string>>;
  output(): string;
  /** Resolves with its exit code; null where a signal ended it, as npm ends itself. */
  stop(): Promise<number | null>;
}

/** Ready when this resolves. */
export async function startProgram(
  command: string,
  args: readonly string[],
  { cwd, env, uid, limitMs = 120_000 }: RunCommandOptions,
): Promise<StartedProgram> {
  const child = spawn(command, args, {
    cwd,
    // Whatever is free.
    env: { MANAGER_PORT: '0', GATEWAY_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // What does not end when it is told to is killed with all that it has started.
    detached: true,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  const line = (message: string): Record<string, string> | undefined => {
    const found = text.split('\n').slice(0, -1);
    return found.filter((one) => one.includes(`"msg":"${message}"`)).map((one) => JSON.parse(one))[0];
  };
  const stop = async () => {
    child.kill('SIGTERM');
    const limit = setTimeout(() => killAll(child.pid), 15_000);
    return await exited.finally(() => clearTimeout(limit));
  };
  const isReady = () => child.exitCode !== null || line('ready') !== undefined;
  await waitUntil('the service is ready', isReady, { limitMs }).catch(async (error) => {
    await stop();
    throw new Error(`The service did not become ready. It wrote:\n${text}`, { cause: error });
  });
  const ready = line('ready');
  if (ready === undefined) throw new Error(`The service ended at its start. It wrote:\n${text}`);
  const { managerUrl = '', gatewayUrl = '' } = ready;
  return { managerUrl, gatewayUrl, ready, output: () => text, stop };
}

function killAll(pid: number | undefined): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL');
}
