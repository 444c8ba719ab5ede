import { type ClosingStack, createClosingStack } from '../../async/closing-stack.ts';

/**
 * The orderly end of this process: on SIGTERM or SIGINT everything that is open is closed, and the exit code is 0. A second
 * signal ends the process at once, and its children with it; the exit code is 1.
 */
export interface Shutdown {
  isUnderWay(): boolean;
  /** A start that a signal breaks off may still add to it. */
  readonly closing: ClosingStack;
  /** Runs at a second signal, before the process exits. */
  addLastResort(run: () => void): void;
}

export function shutDownOnSignals(onProblem: (step: string, problem: string) => void): Shutdown {
  const closing = createClosingStack(onProblem);
  const lastResorts: (() => void)[] = [];
  let isUnderWay = false;

  async function end(): Promise<void> {
    await closing.closeAll();
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
    closing,
    addLastResort: (run) => void lastResorts.push(run),
  };
}
