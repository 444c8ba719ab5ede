/**
 * Runs one test file in a child process of its own, in its own process group, and judges it. Whatever the file
 * leaves behind is ended with its group; a group that outlives its file is said in the file's output.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import type { BundledTest } from './bundle-tests.ts';
import { type Ending, judge } from './judge.ts';
import { endGroup, isGroupAlive } from './process-group.ts';
import type { FileResult, Report } from './report.ts';

export interface RunFileOptions {
  readonly limitMs: number;
  /** How long a file may take to exit by itself after its last test. */
  readonly graceMs?: number;
  readonly env?: NodeJS.ProcessEnv;
  /** How the file and the one that drives it are loaded; absent: from their sources, by tsx. */
  readonly bundle?: BundledTest;
}

const inChild = fileURLToPath(new URL('in-child.ts', import.meta.url));
const outputLimit = 1_000_000;
const running = new Set<ChildProcess>();

export async function runFile(file: string, options: RunFileOptions): Promise<FileResult> {
  const startedAt = performance.now();
  const { bundle } = options;
  const program = bundle
    ? ['--enable-source-maps', bundle.driver, bundle.file]
    : ['--import', 'tsx', inChild, file];
  const child = spawn(process.execPath, program, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...options.env },
    detached: true,
  });
  running.add(child);
  const output = collectOutput(child);
  const reports: Report[] = [];
  const ending = await watch(child, reports, options);
  const left = await outlives(child);
  running.delete(child);
  return {
    file,
    ...judge(reports, ending),
    output: output() + (left ? '\n[runner] processes of this file outlived it and were ended\n' : ''),
    milliseconds: Math.round(performance.now() - startedAt),
  };
}

/** For a runner that is interrupted: the files run in groups of their own and would not hear of it. */
export function endRunningFiles(): void {
  for (const child of running) endGroup(child.pid);
}

function watch(child: ChildProcess, reports: Report[], options: RunFileOptions): Promise<Ending> {
  return new Promise((resolve) => {
    let ended: Ending['ended'];
    const end = (reason: Ending['ended']) => {
      ended = reason;
      endGroup(child.pid);
    };
    const limit = setTimeout(end, options.limitMs, 'over its time limit');
    let grace: NodeJS.Timeout | undefined;
    child.on('message', (report) => {
      reports.push(report as Report);
      if ((report as Report).kind !== 'end') return;
      clearTimeout(limit);
      grace = setTimeout(end, options.graceMs ?? 5_000, 'still open after its last test');
    });
    child.on('exit', (exitCode, signal) => {
      clearTimeout(limit);
      clearTimeout(grace);
      // The last reports may still be under way on the channel when the exit is seen.
      setTimeout(() => resolve({ exitCode, signal, ended, limitMs: options.limitMs }), 20);
    });
  });
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

function collectOutput(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      if (text.length < outputLimit) text += chunk;
    });
  }
  return () => text;
}
