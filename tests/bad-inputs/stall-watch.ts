import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface StallWatch {
  /** Longest answer since the last call, over what a quiet service takes; in ms. */
  takeWorst(): number;
  stop(): void;
}

const pingLoop = fileURLToPath(new URL('ping-loop.ts', import.meta.url));

/** Watches the event loop of the service on `port` from another process. Call it while nothing else runs. */
export async function watchStalls(port: number): Promise<StallWatch> {
  const child = fork(pingLoop, [String(port)], { execArgv: ['--import', 'tsx'] });
  let worst = 0;
  child.on('message', (milliseconds) => {
    worst = Math.max(worst, Number(milliseconds));
  });
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const baseline = worst;
  worst = 0;
  return {
    takeWorst() {
      const taken = Math.max(0, worst - baseline);
      worst = 0;
      return taken;
    },
    stop: () => void child.kill(),
  };
}
