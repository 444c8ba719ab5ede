/** Gateways that are killed while agents work, and what that may cost them. */
import * as assert from 'uvu/assert';
import type { RunningService } from '../support/run-service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Agents, type Call, notAnswered } from './agents.ts';

/** Milliseconds, `performance.now()`. */
export interface Kill {
  /** The signal. */
  readonly at: number;
  /** Nobody takes the process for alive any more. */
  readonly goneAt: number;
}

const everyMs = 2_000;
const inAllMs = 60_000;
/** Until a proxy, on a busy machine, has read that the connections which it keeps are gone. */
const lettingGoMs = 500;
/** The longest that a call is under way when nothing is wrong: 300 ms at its server, and a busy machine. */
const underWayMs = 2_000;

/** For a minute, a gateway every two seconds, one after the other, each started again at once. */
export async function killInTurn(gateways: readonly RunningService[]): Promise<Kill[]> {
  const kills: Kill[] = [];
  const begunAt = performance.now();
  while (performance.now() - begunAt < inAllMs) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    const gateway = gateways[kills.length % gateways.length];
    // However long a start takes on this machine, two of them are left.
    await Promise.all(gateways.map((other) => other === gateway || untilReady(other)));
    const at = performance.now();
    await gateway?.kill9();
    kills.push({ at, goneAt: performance.now() + lettingGoMs });
    await gateway?.restart();
  }
  return kills;
}

/** Calls that were running on a killed gateway may have failed, with an error; no other, and none ran twice. */
export function assertCostOf(
  kills: readonly Kill[],
  { calls, lists }: Pick<Agents, 'calls' | 'lists'>,
  runs: (id: string) => number,
): void {
  const all = [...calls, ...lists];
  const failures = all.filter(({ outcome }) => outcome === 'failed');
  console.log(reasons(failures));
  const isOfKill = ({ begunAt, endedAt }: Call) =>
    kills.some(({ at, goneAt }) => begunAt < goneAt && at < Math.min(endedAt, begunAt + underWayMs));
  const idsOf = (found: readonly Call[]) => found.map(({ id }) => id);

  assert.equal(notAnswered(failures.filter((call) => !isOfKill(call))), [], 'failed without a kill');
  assert.equal(notAnswered(all.filter(({ outcome }) => outcome === 'wrong')), []);
  assert.equal(idsOf(calls.filter(({ id }) => runs(id) > 1)), [], 'ran twice');
  const answered = calls.filter(({ outcome }) => outcome === 'answered');
  assert.equal(idsOf(answered.filter(({ id }) => runs(id) !== 1)), [], 'answered, and did not run');
}

function untilReady({ gatewayUrl }: RunningService): Promise<true> {
  const isReady = async () => (await fetch(`${gatewayUrl}/readyz`)).ok;
  return waitUntil('a gateway is ready', isReady, { limitMs: 60_000 });
}

/** How often which one. */
function reasons(failures: readonly Call[]): string {
  const counts = new Map<string, number>();
  for (const { text } of failures) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts]
    .map(([text, count]) => `  ${count} × ${text.replace(/\s+/g, ' ').slice(0, 160)}`)
    .join('\n');
}
