// @ts-check

/** Messages arrive in bursts: whatever one action changed is fetched once. */
const burstMs = 40;

/**
 * Fetches in rounds, one at a time; parts that are asked for during a round are fetched in the next.
 * @template {string} Part
 * @param {(part: Part) => Promise<boolean>} load Resolves with whether that part is done with; never rejects.
 * @returns {(...parts: Part[]) => Promise<void>} Resolves when everything asked for so far was fetched.
 */
export function createRefresh(load) {
  /** @type {Set<Part>} */
  const wanted = new Set();
  /** @type {Promise<void> | undefined} */
  let round;

  async function rounds() {
    while (wanted.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, burstMs));
      const parts = [...wanted];
      wanted.clear();
      await Promise.all(parts.map(async (part) => (await load(part)) || wanted.add(part)));
    }
  }

  return (...parts) => {
    for (const part of parts) wanted.add(part);
    round ??= rounds().finally(() => {
      round = undefined;
    });
    return round;
  };
}
