import * as assert from 'uvu/assert';
import type { Kit } from './kit.ts';

/** Fewer requests than the shortest run of the suite makes of each of three replicas. */
const leastOfEach = 20;

/** The same kit, whose runs fail as well unless each replica took its share of the run's requests. */
export function withFairShares(kit: Pick<Kit, 'run'>, counts: () => readonly number[]): Pick<Kit, 'run'> {
  return {
    async run(...asked) {
      const before = counts();
      const result = await kit.run(...asked);
      const shares = counts().map((count, at) => count - (before[at] ?? 0));
      const [least, most] = [Math.min(...shares), Math.max(...shares)];
      assert.ok(
        least >= leastOfEach && most - least <= 1,
        `The replicas took ${shares.join(', ')} requests.`,
      );
      return result;
    },
  };
}
