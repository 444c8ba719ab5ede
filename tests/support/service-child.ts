import { type ChildProcess, spawn } from 'node:child_process';
import { projectDir, testNode } from './service-command.ts';

/** The service's process; may be started again after it ended. */
export interface ServiceChild {
  start(): void;
  pid(): number;
  output(): string;
  isRunning(): boolean;
  end(signal: NodeJS.Signals): Promise<number | null>;
  killNow(): void;
}

export interface ServiceChildOptions {
  readonly node?: string;
  readonly uid?: number;
  /** The folder of the sources to run. */
  readonly checkout?: string;
}

export function createServiceChild(
  env: NodeJS.ProcessEnv,
  { node = testNode, uid, checkout = projectDir }: ServiceChildOptions = {},
): ServiceChild {
  let child: ChildProcess | undefined;
  let text = '';
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    start() {
      child = spawn(node, ['bin/server.js'], {
        cwd: checkout,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        ...(uid === undefined ? {} : { uid, gid: uid }),
      });
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
      }
    },
    pid: () => child?.pid ?? 0,
    output: () => text,
    isRunning,
    async end(signal) {
      const ending = child;
      if (!ending || !isRunning()) return ending?.exitCode ?? null;
      const exited = new Promise<number | null>((resolve) => ending.once('exit', resolve));
      ending.kill(signal);
      const limit = setTimeout(() => ending.kill('SIGKILL'), 15_000);
      return exited.finally(() => clearTimeout(limit));
    },
    killNow: () => void (isRunning() && child?.kill('SIGKILL')),
  };
}
