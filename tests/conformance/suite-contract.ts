/** What the official suite must say of an endpoint, whatever lies between the two. */
import type { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Kit, Leg, LegResult } from './kit.ts';

/** A server of the fixture over that transport is behind it. */
export type Transport = 'stdio' | 'http';

export interface Endpoint {
  readonly url: string;
  /** The prefix that the adapter is to add; absent: names are bare there already. */
  readonly server?: string;
}

/**
 * Checks that must pass at least. Over stdio one of 84 cannot: it rewards a server that hangs up in the middle of a call.
 */
const leastPassed: Readonly<Record<Leg, Readonly<Record<Transport, number>>>> = {
  a: { stdio: 44, http: 44 },
  b: { stdio: 83, http: 84 },
};

export function describeConformance(
  test: ReturnType<typeof suite>,
  kit: Pick<Kit, 'run'> | undefined,
  endpoint: (transport: Transport) => Endpoint,
): void {
  const withKit = kit ? test : test.skip;

  async function run(leg: Leg, transport: Transport): Promise<void> {
    const { url, server } = endpoint(transport);
    const result = await kit?.run(leg, url, server);
    assert.ok(result, 'The suite says nothing of this leg.');
    console.log(`\n${leg}, ${transport}: ${describe(result)}`);
    judge(result, leastPassed[leg][transport]);
  }

  withKit('suite 0.1.16, every scenario, a server over stdio', () => run('a', 'stdio'));
  withKit('suite 0.1.16, every scenario, a server over HTTP', () => run('a', 'http'));
  withKit('requirements of 2025-11-25, a server over stdio', () => run('b', 'stdio'));
  withKit('requirements of 2025-11-25, a server over HTTP', () => run('b', 'http'));
}

function judge(result: LegResult, least: number): void {
  const said = describe(result);
  assert.ok(result.isPass, said);
  assert.is(result.failed, 0, said);
  assert.ok(result.passed >= least, `At least ${least} checks must pass: ${said}`);
}

function describe(result: LegResult): string {
  const failing = [...result.scoredFailing, ...result.unscoredFailing].join(' ') || 'none';
  return (
    `${result.passed} passed, ${result.failed} failed, ${result.warnings} warnings, ` +
    `scored ${result.scoredPassing}/${result.scored}, failing: ${failing}, ${result.seconds.toFixed(1)} s`
  );
}
