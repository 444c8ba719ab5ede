import { runSteps, type Step } from './run-steps.ts';

/**
 * The orderly end of this process: on SIGTERM or SIGINT everything that was begun is ended step by step, what was added
 * last first, and the exit code is 0. A second signal ends it at once, and its children with it; the exit code is 1.
 */
export interface Shutdown {
  isUnderWay(): boolean;
  /** These run, in their order, before whatever was added earlier. */
  add(...steps: readonly Step[]): void;
  /** Runs at a second signal, before the process exits. */
  addLastResort(run: () => void): void;
}

export function shutDownOnSignals(onProblem: (step: string, problem: string) => void): Shutdown {
  const added: (readonly Step[])[] = [];
  const lastResorts: (() => void)[] = [];
  let isUnderWay = false;

  async function end(): Promise<void> {
    // What the start adds while it is broken off is ended as well.
    for (let steps = added.pop(); steps !== undefined; steps = added.pop()) await runSteps(steps, onProblem);
    process.exit(0);
  }

  function endAtOnce(): never {
    try {
      for (const run of lastResorts) run();
    } finally {
      process.exit(1);
    }
  }

  function onSignal(): void {
    if (isUnderWay) endAtOnce();
    isUnderWay = true;
    void end();
  }

  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return {
    isUnderWay: () => isUnderWay,
    add: (...steps) => void added.push(steps),
    addLastResort: (run) => void lastResorts.push(run),
  };
}
