/**
 * The orderly end of this process: on SIGTERM or SIGINT everything that was begun is ended, newest first, within
 * `graceMs` (an engine sends SIGKILL after 10 s), and the exit code is 0. A second signal ends it at once.
 */
export interface Shutdown {
  isUnderWay(): boolean;
  /** `end` runs before whatever was added earlier. */
  add(end: () => Promise<void>): void;
}

export function shutDownOnSignals(graceMs: number, onFailure: (error: unknown) => void): Shutdown {
  const ends: (() => Promise<void>)[] = [];
  let isUnderWay = false;

  async function run(): Promise<void> {
    for (const end of ends.reverse()) await end().catch(onFailure);
    process.exit(0);
  }

  function onSignal(): void {
    if (isUnderWay) process.exit(1);
    isUnderWay = true;
    setTimeout(() => process.exit(0), graceMs);
    void run();
  }

  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return { isUnderWay: () => isUnderWay, add: (end) => void ends.push(end) };
}
