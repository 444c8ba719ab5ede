import { withTimeout } from '../../async/wait.ts';

/** One thing that is ended, closed or waited for at the end of a process. */
export interface Step {
  /** What it is, for the log: "the database". */
  readonly name: string;
  /** How long it may take before the next one begins; default 2 s. */
  readonly limitMs?: number;
  run(): unknown;
}

const defaultLimitMs = 2_000;

/**
 * Runs the steps in order, each by itself: one that fails, or is not done within its limit, is reported and the next one
 * begins. Never rejects.
 */
export async function runSteps(
  steps: readonly Step[],
  onProblem: (step: string, problem: string) => void,
): Promise<void> {
  for (const step of steps) {
    const { name, limitMs = defaultLimitMs } = step;
    const problem = await withTimeout(
      problemOf(step),
      limitMs,
      () => `It was not done within ${limitMs} ms.`,
    );
    if (problem !== undefined) onProblem(name, problem);
  }
}

async function problemOf(step: Step): Promise<string | undefined> {
  try {
    await step.run();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
