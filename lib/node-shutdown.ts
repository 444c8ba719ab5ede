import type { Log } from './observe/log.ts';

/**
 * Ends the process in order on SIGTERM and SIGINT, within `graceMs` (an engine sends SIGKILL after 10 s), with exit
 * code 0. A second signal ends it at once.
 */
export function stopOnSignals(stop: () => Promise<void>, graceMs: number, log: Log): void {
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.warn({}, 'stopped with work left undone');
      process.exit(0);
    }, graceMs).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
