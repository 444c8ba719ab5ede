/**
 * Runs test files in child processes, each in its own process group, and judges them. Whatever a file leaves
 * behind is ended with its group; a group that outlives its file is said in the file's output.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import type { BundledTest } from './bundle-tests.ts';
import { type Ending, judge } from './judge.ts';
import { endGroup, isAlone, isGroupAlive } from './process-group.ts';
import type { FileResult, Report } from './report.ts';

export interface RunFileOptions {
  readonly limitMs: number;
  /** How long a file may take to exit by itself after its last test. */
  readonly graceMs?: number;
  readonly env?: NodeJS.ProcessEnv;
  /** How the file and the one that drives it are loaded; absent: from their sources, by tsx. */
  readonly bundle?: BundledTest;
}

/** One process for several files, one after another, until one of them leaves something behind in it. */
export interface SharedProcess {
  /** The file's result; before it a failure of the last one, where its process broke down after all. */
  run(file: string, options: RunFileOptions): Promise<FileResult[]>;
  end(): Promise<FileResult[]>;
}

interface Exit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

interface RunningChild {
  readonly process: ChildProcess;
  readonly exit: Promise<Exit>;
  readonly output: () => string;
  /** Files that ran in it to their end, in their order. */
  readonly earlier: string[];
}

const inChild = fileURLToPath(new URL('in-child.ts', import.meta.url));
const outputLimit = 1_000_000;
/** Keeps the memory of a process small, and the list of files short that share it with one that fails. */
const mostShared = 50;
const running = new Set<ChildProcess>();

/** In a process of its own. */
export async function runFile(file: string, options: RunFileOptions): Promise<FileResult> {
  return await judgeRun(startChild(file, options, []), file, options);
}

export function createSharedProcess(): SharedProcess {
  let child: RunningChild | undefined;

  async function end(): Promise<FileResult[]> {
    if (!child) return [];
    const last = child;
    child = undefined;
    if (last.process.connected) last.process.disconnect();
    const limit = setTimeout(() => endGroup(last.process.pid), 20_000);
    const { exitCode, signal } = await last.exit;
    clearTimeout(limit);
    running.delete(last.process);
    return exitCode === 0 ? [] : [brokenDown(last, signal ?? `exit code ${exitCode}`)];
  }

  return {
    async run(file, options) {
      const broken = child?.process.connected ? [] : await end();
      if (child) child.process.send(options.bundle?.file ?? file, () => {});
      else child = startChild(file, options, ['shared']);
      const current = child;
      const { isFree, ...result } = await judgeRun(current, file, options);
      current.earlier.push(file);
      if (!isFree) child = undefined;
      return [...broken, result];
    },
    end,
  };
}

function brokenDown({ earlier, output }: RunningChild, how: string): FileResult {
  const problem = `After its tests the process ended with ${how}. In it ran: ${earlier.join(', ')}`;
  const counts = { passed: 0, failed: 1, skipped: 0, problems: [problem] };
  return { file: earlier.at(-1) ?? '', ...counts, output: output(), milliseconds: 0 };
}

/** For a runner that is interrupted: the files run in groups of their own and would not hear of it. */
export function endRunningFiles(): void {
  for (const child of running) endGroup(child.pid);
}

function startChild(file: string, { bundle, env }: RunFileOptions, words: readonly string[]): RunningChild {
  const program = bundle
    ? ['--enable-source-maps', bundle.driver, bundle.file]
    : ['--import', 'tsx', inChild, file];
  const child = spawn(process.execPath, [...program, ...words], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...env },
    detached: true,
  });
  running.add(child);
  const exit = new Promise<Exit>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
  return { process: child, exit, output: collectOutput(child), earlier: [] };
}

async function judgeRun(
  child: RunningChild,
  file: string,
  options: RunFileOptions,
): Promise<FileResult & { isFree: boolean }> {
  const startedAt = performance.now();
  const reports: Report[] = [];
  const ending = await watch(child, reports, options);
  const left = ending.isFree ? false : await outlives(child.process);
  if (!ending.isFree) running.delete(child.process);
  const counts = judge(reports, ending);
  const isAlone = counts.failed === 0 || child.earlier.length === 0;
  const company = isAlone ? [] : [`Before it ran in the same process: ${child.earlier.join(', ')}`];
  return {
    isFree: ending.isFree,
    file,
    ...counts,
    problems: [...counts.problems, ...company],
    output: child.output() + (left ? '\n[runner] processes of this file outlived it and were ended\n' : ''),
    milliseconds: Math.round(performance.now() - startedAt),
  };
}

/** Resolves when the process has ended, or when it is free for another file. */
function watch(
  { process: child, exit, earlier }: RunningChild,
  reports: Report[],
  { limitMs, graceMs = 5_000 }: RunFileOptions,
): Promise<Ending & { isFree: boolean }> {
  return new Promise((resolve) => {
    let ended: Ending['ended'];
    const end = (reason: Ending['ended']) => {
      ended = reason;
      endGroup(child.pid);
    };
    let limit = setTimeout(end, limitMs, 'over its time limit');
    const finish = (how: Exit, isFree: boolean) => {
      child.off('message', hear);
      clearTimeout(limit);
      resolve({ ...how, ended, limitMs, isFree });
    };
    const hear = (message: unknown) => {
      const report = message as Report;
      if (report.kind === 'free') return takeNext();
      reports.push(report);
      if (report.kind !== 'end') return;
      clearTimeout(limit);
      limit = setTimeout(end, graceMs, 'still open after its last test');
    };
    const takeNext = () => {
      const isFull = earlier.length + 1 >= mostShared;
      if (isFull || child.pid === undefined || !isAlone(child.pid)) child.disconnect();
      else void outputRead().then(() => finish({ exitCode: 0, signal: null }, true));
    };
    child.on('message', hear);
    // The last reports may still be under way on the channel when the exit is seen.
    void exit.then((how) => setTimeout(finish, 20, how, false));
  });
}

/** What a process wrote before a message of its own is in the pipes when that arrives, and read in these turns. */
async function outputRead(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Gives processes that are on their way out a second, then ends what is left of the file's group. */
async function outlives({ pid }: ChildProcess): Promise<boolean> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    if (pid === undefined || !isGroupAlive(pid)) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  endGroup(pid);
  return true;
}

/** What was written since it was last asked for. */
function collectOutput(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      if (text.length < outputLimit) text += chunk;
    });
  }
  return () => {
    const written = text;
    text = '';
    return written;
  };
}
