/** What is left of `T` once it is known to be truthy. */
type Truthy<T> = Exclude<T, undefined | null | false | 0 | ''>;

/**
 * Asks again and again until the answer is truthy, and returns it.
 * @throws when `limitMs` is over; the message says what was waited for, and the last error met.
 */
export async function waitUntil<T>(
  what: string,
  ask: () => T | Promise<T>,
  { limitMs = 10_000, everyMs = 25 }: { limitMs?: number; everyMs?: number } = {},
): Promise<Truthy<T>> {
  const deadline = performance.now() + limitMs;
  let lastError: unknown;
  do {
    try {
      const answer = await ask();
      if (answer) return answer as Truthy<T>;
    } catch (error) {
      lastError = error;
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  } while (performance.now() < deadline);
  throw new Error(`Waited ${limitMs} ms in vain until ${what}.`, { cause: lastError });
}
