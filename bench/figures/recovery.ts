/** A server that is killed under load, and how soon the same sessions get answers again. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { atMost, type Measurement } from '../figure.ts';
import { runPhase } from '../mcpload.ts';

/** As mcpload prints it; ms, `null` when it never happened. */
interface Restart {
  readonly first_ok_ms_after_up: number | null;
  readonly last_error_ms_after_up: number | null;
  readonly recovered_same_session: boolean;
  readonly errors: number;
  readonly respawned_pid: number | null;
}

type ProcessTree = { tree(pid: number): number[] };

export const stdioBack: Measurement = {
  name: 'stdio-back',
  async measure(stage) {
    const harness: ProcessTree = await import(pathToFileURL(join(stage.harnessDir, 'mcpload.mjs')).href);
    const child = harness.tree(stage.service.pid()).find((pid) => isStdioUpstream(pid));
    if (child === undefined) throw new Error('the stdio server is no descendant of the service');
    const options = { sessions: 4, 'kill-pid': child, 'kill-at': 1, 'down-for': 0, 'restart-for': 5 };
    const result = (await runPhase(stage, stage.stdio, 'restart', options)) as Restart;
    const note = `${result.errors} calls failed meanwhile`;
    return [atMost('a killed stdio server answers again', lastTrouble(result), 1_000, 'ms', note)];
  },
};

export const httpBack: Measurement = {
  name: 'http-back',
  async measure(stage) {
    const kill = { 'kill-pid': stage.httpUpstreamPid(), 'kill-at': 1, 'down-for': 1, 'restart-for': 5 };
    const options = { sessions: 4, ...kill, respawn: stage.httpUpstreamCommand };
    const result = (await runPhase(stage, stage.http, 'restart', options)) as Restart;
    await stage.replaceHttpUpstream(result.respawned_pid);
    const after = result.recovered_same_session ? (result.first_ok_ms_after_up ?? Infinity) : Infinity;
    return [atMost('an HTTP server that came back answers the same session', after, 250, 'ms')];
  },
};

/** With no down time an answer already on its way counts as the first: what matters is the last error. */
function lastTrouble(result: Restart): number {
  if (!result.recovered_same_session) return Infinity;
  return Math.max(result.last_error_ms_after_up ?? 0, result.first_ok_ms_after_up ?? Infinity);
}

function isStdioUpstream(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('upstream-stdio.mjs');
}
