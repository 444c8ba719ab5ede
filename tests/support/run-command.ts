import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';

export interface CommandResult {
  /** Exit code; `null` when a signal ended it, ours after `limitMs` included. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

export interface RunCommandOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly limitMs?: number;
  /** User and group to run as; needs root. */
  readonly uid?: number | undefined;
}

/** Runs a program without a shell and without stdin until it ends. */
export function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env, limitMs = 60_000, uid }: RunCommandOptions,
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const owner = uid === undefined ? {} : { uid, gid: uid };
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], ...owner });
    const written = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      written.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      written.stderr += text;
    });
    const limit = setTimeout(() => child.kill('SIGKILL'), limitMs);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(limit);
      resolve({ code, ...written, milliseconds: performance.now() - startedAt });
    });
  });
}
