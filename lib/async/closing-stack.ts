import { withTimeout } from './wait.ts';

/** Everything that is open, closed in reverse order: whatever opens something adds how it is closed. */
export interface ClosingStack {
  add(name: string, close: () => unknown, options?: ClosingOptions): void;
  /**
   * One after the other, the last added first, those too that are added meanwhile. A step that fails, or takes longer than
   * its limit, is reported, and the next one begins. Never rejects.
   */
  closeAll(): Promise<void>;
}

export interface ClosingOptions {
  /** How long the step may take before the next one begins; default 2 s. */
  readonly limitMs?: number;
}

interface Step {
  readonly name: string;
  readonly close: () => unknown;
  readonly limitMs: number;
}

const defaultLimitMs = 2_000;

export function createClosingStack(onProblem: (name: string, problem: string) => void): ClosingStack {
  const steps: Step[] = [];
  return {
    add(name, close, { limitMs = defaultLimitMs } = {}) {
      steps.push({ name, close, limitMs });
    },
    async closeAll() {
      for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
        const { name, limitMs } = step;
        const problem = await withTimeout(
          problemOf(step),
          limitMs,
          () => `It was not done within ${limitMs} ms.`,
        );
        if (problem !== undefined) onProblem(name, problem);
      }
    },
  };
}

async function problemOf({ close }: Step): Promise<string | undefined> {
  try {
    await close();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
