/**
 * One bash in which commands run one after the other, as a person types them: what a command sets is there for the next.
 * What it starts in the background ends with the session at the latest.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endGroup } from '../run/process-group.ts';
import { waitUntil } from '../support/wait-until.ts';

export interface CommandOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that goes on by itself. */
export interface RunningCommand {
  output(): string;
  /** Sends SIGINT, as Ctrl-C does, and waits for its end. */
  interrupt(): Promise<void>;
}

export interface ShellSession {
  run(command: string, options: { input?: string; limitMs: number }): Promise<CommandOutcome>;
  start(command: string): Promise<RunningCommand>;
  close(): Promise<void>;
}

/**
 * Reads words `run DIR` and `start DIR`, and answers the exit code, or the process group. What was started has a watcher,
 * which ends it when this process is gone, however that ended: nobody writes to its descriptor 5, or keeps it open.
 */
const loop = `
while read -r what dir <&3; do
  if [ "$what" = start ]; then
    set -m
    (
      ( read -r _ <&5; kill -TERM 0 ) & watcher=$!
      trap 'kill "$watcher"' EXIT
      . "$dir/command"
    ) </dev/null >"$dir/stdout" 2>"$dir/stderr" 3<&- 4>&- &
    echo "$!" >&4
    set +m
  else
    . "$dir/command" <"$dir/input" >"$dir/stdout" 2>"$dir/stderr" 3<&- 4>&- 5<&-; echo "$?" >&4
  fi
done`;

export function openShell(cwd: string, env: NodeJS.ProcessEnv): ShellSession {
  const scratch = mkdtempSync(join(tmpdir(), 'readme-shell-'));
  const stdio = ['ignore', 'inherit', 'inherit', 'pipe', 'pipe', 'pipe'] as const;
  const bash = spawn('bash', ['--norc', '-c', loop], { cwd, env, stdio: [...stdio] });
  const answers = createInterface({ input: bash.stdio[4] as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  const groups = new Set<number>();
  let count = 0;

  function write(command: string, input = ''): string {
    count += 1;
    const dir = mkdtempSync(join(scratch, `${count}-`));
    writeFileSync(join(dir, 'command'), `${command}\n`);
    writeFileSync(join(dir, 'input'), input);
    return dir;
  }
  async function ask(word: string, dir: string, limitMs: number): Promise<number> {
    (bash.stdio[3] as NodeJS.WritableStream).write(`${word} ${dir}\n`);
    const answer = await within(limitMs, answers.next());
    return Number(answer.value);
  }
  const read = (dir: string, name: string) => readFileSync(join(dir, name), 'utf8');

  return {
    async run(command, { input, limitMs }) {
      const dir = write(command, input);
      const code = await ask('run', dir, limitMs);
      return { code, stdout: read(dir, 'stdout'), stderr: read(dir, 'stderr') };
    },
    async start(command) {
      const dir = write(command);
      const group = await ask('start', dir, 5_000);
      groups.add(group);
      return {
        output: () => read(dir, 'stdout') + read(dir, 'stderr'),
        interrupt: () => interrupt(group),
      };
    },
    async close() {
      for (const group of groups) await interrupt(group);
      await end(bash);
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

async function interrupt(group: number): Promise<void> {
  try {
    process.kill(-group, 'SIGINT');
  } catch {
    return;
  }
  await waitUntil('what was interrupted has ended', () => isGone(group), { limitMs: 60_000 }).catch(
    (error) => {
      endGroup(group);
      throw error;
    },
  );
}

function isGone(group: number): boolean {
  try {
    process.kill(-group, 0);
    return false;
  } catch {
    return true;
  }
}

async function end(bash: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => bash.once('exit', resolve));
  (bash.stdio[3] as NodeJS.WritableStream).end();
  await ended;
}

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No end within ${limitMs / 1000} s.`)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
