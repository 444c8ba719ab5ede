/** tools/list and tools/call against the limit and the direct connection, in turns, and the CPU they cost. */
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../tests/support/run-command.ts';
import { atLeast, atMost, type Measurement, median } from '../figure.ts';
import { clientChannels, type Load, load } from '../mcpload.ts';
import type { Stage, Target } from '../stage.ts';

const directStdio = fileURLToPath(new URL('../direct-stdio.ts', import.meta.url));
const projectDir = fileURLToPath(new URL('../..', import.meta.url));

export const list: Measurement = {
  name: 'list',
  async measure(stage) {
    const pairs = await inTurns(stage, [
      () => load(stage, stage.limit, 'list', clientChannels(stage, 16)),
      () => loadOurs(stage, stage.stdio, 'list', 16),
    ]);
    const ratio = median(pairs.map(([limit, ours]) => ours.rps / limit.rps));
    const cpu = median(pairs.map(([, ours]) => ours.server_cpu_us_per_req ?? Number.NaN));
    return [
      atLeast('tools/list, 16 callers, against the bare node:http limit', ratio, 0.55, '', rates(pairs)),
      atMost('CPU per tools/list', cpu, 50, 'µs'),
    ];
  },
};

export const stdio: Measurement = {
  name: 'stdio',
  async measure(stage) {
    const single = await inTurns(stage, [
      () => callDirectly(stage, 1),
      () => loadOurs(stage, stage.stdio, 'call', 1),
    ]);
    const many = await inTurns(stage, [
      () => load(stage, stage.direct, 'call', clientChannels(stage, 16)),
      () => loadOurs(stage, stage.stdio, 'call', 16),
    ]);
    const cpu = median(many.map(([, ours]) => ours.server_cpu_us_per_req ?? Number.NaN));
    const bare = await callDirectly(stage, 16);
    const share = median(many.map(([, ours]) => ours.rps / bare.rps));
    const note = `${rates(many)}; ${share.toFixed(2)} of a bare pipe without HTTP (${Math.round(bare.rps)}/s)`;
    return [
      atMost('tools/call over stdio, 1 caller, added p50', added(single), 0.25, 'ms', medians(single)),
      atLeast('tools/call over stdio, 16 callers, against direct', ratioOf(many), 0.4, '', note),
      atMost('CPU per tools/call over stdio, server included', cpu, 110, 'µs'),
    ];
  },
};

export const http: Measurement = {
  name: 'http',
  async measure(stage) {
    const [single, many] = [await againstDirect(stage, 1), await againstDirect(stage, 16)];
    return [
      atMost('tools/call over HTTP, 1 caller, added p50', added(single), 0.4, 'ms', medians(single)),
      atLeast('tools/call over HTTP, 16 callers, against direct', ratioOf(many), 0.2, '', rates(many)),
    ];
  },
};

export const steady: Measurement = {
  name: 'steady',
  async measure(stage) {
    const seconds = stage.isQuick ? 5 : 30;
    const { p50, p99, rps } = await load(stage, stage.stdio, 'call', clientChannels(stage, 64, seconds));
    const note = `0 errors, ${Math.round(rps)}/s, p50 ${p50} ms, p99 ${p99} ms`;
    return [atMost(`64 callers, ${seconds} s: 0 errors, p99 / p50`, p99 / p50, 5, '', note)];
  },
};

type Pair = readonly [base: Pick<Load, 'rps' | 'p50'>, ours: Load];

/** A B A B …: what else the machine does falls on both. */
async function inTurns(
  stage: Stage,
  [base, ours]: readonly [() => Promise<Pair[0]>, () => Promise<Load>],
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let round = 0; round < stage.rounds; round += 1) pairs.push([await base(), await ours()]);
  return pairs;
}

function againstDirect(stage: Stage, count: number): Promise<Pair[]> {
  return inTurns(stage, [
    () => load(stage, stage.direct, 'call', clientChannels(stage, count)),
    () => loadOurs(stage, stage.http, 'call', count),
  ]);
}

function loadOurs(stage: Stage, target: Target, phase: string, count: number): Promise<Load> {
  return load(stage, target, phase, { ...clientChannels(stage, count), pid: stage.service.pid() });
}

async function callDirectly(stage: Stage, count: number): Promise<Pair[0]> {
  const server = `${stage.harnessDir}/upstream-stdio.mjs`;
  const args = ['--import', 'tsx', directStdio, server, String(count), String(stage.seconds)];
  const { stdout, stderr } = await runCommand(process.execPath, args, { cwd: projectDir, env: process.env });
  if (stdout === '') throw new Error(`direct-stdio: ${stderr}`);
  return JSON.parse(stdout) as Pair[0];
}

function added(pairs: readonly Pair[]): number {
  return median(pairs.map(([base, ours]) => ours.p50 - base.p50));
}

function ratioOf(pairs: readonly Pair[]): number {
  return median(pairs.map(([base, ours]) => ours.rps / base.rps));
}

function rates(pairs: readonly Pair[]): string {
  const [base, ours] = [median(pairs.map(([one]) => one.rps)), median(pairs.map(([, one]) => one.rps))];
  return `${Math.round(ours)}/s against ${Math.round(base)}/s`;
}

function medians(pairs: readonly Pair[]): string {
  const [base, ours] = [median(pairs.map(([one]) => one.p50)), median(pairs.map(([, one]) => one.p50))];
  return `p50 ${ours.toFixed(3)} ms against ${base.toFixed(3)} ms`;
}
