/** The judges of the conformance runs, judged with suites that say what the test says. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withFairShares } from '../../../conformance/fair-shares.ts';
import type { Kit, LegResult } from '../../../conformance/kit.ts';
import { startRoundRobin } from '../../../conformance/round-robin.ts';
import { describeConformance } from '../../../conformance/suite-contract.ts';

const test = suite('conformance runs');
const passing: LegResult = {
  passed: 84,
  failed: 0,
  scored: 30,
  scoredPassing: 30,
  scoredFailing: [],
  unscoredFailing: [],
  warnings: 0,
  seconds: 1,
  isPass: true,
};

/** The first leg's verdict on what a suite says of it. */
function judgementOf(result: LegResult | undefined): Promise<unknown> {
  const legs: (() => Promise<unknown>)[] = [];
  const collect = Object.assign((_name: string, leg: () => Promise<unknown>) => void legs.push(leg), {
    skip: () => {},
  });
  describeConformance(collect as unknown as typeof test, { run: async () => result }, () => ({ url: '' }));
  return failureOf(legs[0]?.());
}

async function failureOf(running: Promise<unknown> | undefined): Promise<unknown> {
  try {
    await running;
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

test('a leg passes with its result, and not without one', async () => {
  assert.is(await judgementOf(passing), undefined);
  assert.match(String(await judgementOf(undefined)), 'says nothing');
  assert.match(String(await judgementOf({ ...passing, failed: 1 })), '1 failed');
});

/** A kit that sends so many requests through a round robin to as many targets, of which some may refuse. */
async function runOver(requests: number, targets: readonly string[]): Promise<unknown> {
  const roundRobin = await startRoundRobin(targets);
  const kit: Pick<Kit, 'run'> = {
    async run() {
      for (let at = 0; at < requests; at += 1) await (await fetch(roundRobin.url)).text();
      return passing;
    },
  };
  const failure = await failureOf(withFairShares(kit, roundRobin.counts).run('a', ''));
  await roundRobin.close();
  return failure;
}

test('replicas share fairly when each took its turns, and not when one refused', async () => {
  const server = createServer((_request, response) => response.end('.'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const there = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const fair = await runOver(61, [there, there, there]);
  const refused = await runOver(61, [there, there, 'http://127.0.0.1:9']);
  const few = await runOver(6, [there, there, there]);
  server.close();

  assert.is(fair, undefined);
  assert.match(String(refused), /took \d+, \d+, 0 requests/);
  assert.match(String(few), 'took 2, 2, 2 requests');
});

test.run();
