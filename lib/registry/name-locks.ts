import { createKeyedMutex } from '../async/mutex.ts';
import { Failure } from '../failure.ts';

/**
 * Operations on one server never overlap; those on different servers are independent. A request is refused at once
 * while another operation is under way; the service's own work waits (`run`).
 */
export interface NameLocks {
  /** @throws Failure `conflict` while another `exclusive` operation on this name runs. */
  exclusive<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  run<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  isBusy(name: string): boolean;
  busyNames(): readonly string[];
}

/** @param onOperation Called with the name after each `exclusive` operation. */
export function createNameLocks(onOperation: (name: string) => void = () => {}): NameLocks {
  const mutex = createKeyedMutex();
  const busy = new Set<string>();

  return {
    run: mutex,
    isBusy: (name) => busy.has(name),
    busyNames: () => [...busy],
    async exclusive(name, work) {
      if (busy.has(name)) {
        throw new Failure(
          'conflict',
          `Another operation on server \`${name}\` is under way; try again shortly.`,
        );
      }
      busy.add(name);
      try {
        return await mutex(name, work);
      } finally {
        busy.delete(name);
        onOperation(name);
      }
    },
  };
}
