import { pause } from './pause.ts';

const lookEveryMs = 20;

/** Resolves as soon as `isSo`, or after `limitMs`; true when it is so. */
export async function until(isSo: () => boolean, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (!isSo()) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return false;
    await pause(Math.min(lookEveryMs, leftMs));
  }
  return true;
}
