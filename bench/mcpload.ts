/** Runs the shared load client in a process of its own and reads the JSON it prints. */
import { join } from 'node:path';
import { runCommand } from '../tests/support/run-command.ts';
import type { Stage, Target } from './stage.ts';

/** A load phase as mcpload prints it; milliseconds, microseconds of CPU. */
export interface Load {
  readonly rps: number;
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
  readonly error_kinds?: Readonly<Record<string, number>>;
  readonly server_cpu_us_per_req?: number;
}

interface Output {
  readonly phases: Readonly<Record<string, unknown>>;
  readonly fatal?: unknown;
}

export type LoadOptions = Readonly<Record<string, string | number>>;

/** One phase of load on a target. @throws when the phase did not run, or answers were wrong or missing. */
export async function load(stage: Stage, target: Target, phase: string, options: LoadOptions): Promise<Load> {
  const result = (await runPhase(stage, target, phase, options)) as Load;
  if (result.errors > 0) throw new Error(`${phase}: wrong answers: ${JSON.stringify(result.error_kinds)}`);
  return result;
}

/** One phase of any kind, as mcpload prints it. */
export async function runPhase(
  stage: Stage,
  target: Target,
  phase: string,
  options: LoadOptions,
): Promise<unknown> {
  const flags = { url: target.url, tool: target.tool, phases: phase, timeout: 15_000, ...options };
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const { stdout, stderr } = await runCommand(
    process.execPath,
    [join(stage.harnessDir, 'mcpload.mjs'), ...args],
    { cwd: stage.harnessDir, env: process.env, limitMs: 300_000 },
  );
  if (stdout.trim() === '') throw new Error(`mcpload printed nothing: ${stderr.slice(0, 500)}`);
  const { phases, fatal } = JSON.parse(stdout) as Output;
  if (phases[phase] === undefined) throw new Error(`${phase} did not run: ${JSON.stringify(fatal)}`);
  return phases[phase];
}

/** Load with so many callers, each with a session and one request in flight. */
export function clientChannels(stage: Stage, count: number, seconds = stage.seconds): LoadOptions {
  return { sessions: count, inflight: 1, duration: seconds, warmup: 0.5 };
}
