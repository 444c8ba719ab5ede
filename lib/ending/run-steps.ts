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
 * begins. Never rejects. @param steps May grow while it runs.
 */
export async function runSteps(
  steps: readonly Step[],
  onProblem: (step: string, problem: string) => void,
): Promise<void> {
  for (const step of steps) {
    const { name, limitMs = defaultLimitMs } = step;
    const problem = await problemOf(step, limitMs);
    if (problem !== undefined) onProblem(name, problem);
  }
}

function problemOf(step: Step, limitMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const limit = setTimeout(() => resolve(`It was not done within ${limitMs} ms.`), limitMs);
    const settle = (problem: string | undefined) => {
      clearTimeout(limit);
      resolve(problem);
    };
    Promise.resolve()
      .then(() => step.run())
      .then(
        () => settle(undefined),
        (error: unknown) => settle(error instanceof Error ? error.message : String(error)),
      );
  });
}
