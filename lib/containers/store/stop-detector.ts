import type { ContainerEvent } from '../containers.ts';

/**
 * Determines why a container's process ended. Only the engine's later events show this: `stop` follows a `docker stop`,
 * then `start` if that was a restart. Neither follows a kill or a crash, and an engine that ends takes its containers
 * with it. A stop first sends a signal that the process can ignore: after such a signal a busy engine gets longer to
 * send `stop`.
 */
export interface StopDetector {
  receive(event: ContainerEvent): void;
  /** Events were missed, perhaps those that are awaited. */
  gap(): void;
  /** Marks the container's next end as intended. */
  expect(id: string): void;
  /**
   * After the process has ended: true when it was stopped on purpose and is not restarted by the engine.
   * @param since before the run that ended had started, so that its start is not taken for the one after its end
   */
  staysDown(id: string, since: number): Promise<boolean>;
  /** How the last run that ended after `since` ended, as the engine reported it. */
  lastEnd(id: string, since: number): RunEnd | undefined;
}

/** Also for a run after which the engine restarted the container. */
export interface RunEnd {
  readonly exitCode: number | undefined;
  readonly outOfMemory: boolean;
}

type Sign = ContainerEvent['action'] | 'gap' | 'signalled';

/** How long `stop` may take to follow the end, and `start` to follow `stop`, in ms. */
const stopWaitMs = 1000;
const signalledStopWaitMs = 3000;
const startWaitMs = 1500;

/**
 * How soon after running out of memory an end counts as caused by it, in ms: the killed process may be a mere child.
 */
const outOfMemoryMs = 2000;

const ends: readonly Sign[] = ['stop', 'start', 'destroy'];
const sigkill = 9;
/** 128 plus SIGKILL, the kernel's signal for lack of memory. */
const killedCode = 137;

export function createStopDetector(now: () => number): StopDetector {
  /** The latest sign of an end since the process last ended. */
  const latest = new Map<string, Sign>();
  const waiting = new Map<string, Set<(sign: Sign) => void>>();
  const expected = new Set<string>();
  const runEnds = new Map<string, RunEnd & { readonly at: number }>();
  const outOfMemoryAt = new Map<string, number>();
  /** Containers whose process received, since its start, a signal that it can ignore. */
  const signalled = new Set<string>();

  function notify(id: string, sign: Sign): void {
    if (sign === 'die') latest.delete(id);
    if (ends.includes(sign)) latest.set(id, sign);
    for (const receive of waiting.get(id) ?? []) receive(sign);
  }

  /** Resolves with undefined when none of these signs arrives in time. */
  function next(id: string, signs: readonly Sign[], waitMs: number): Promise<Sign | undefined> {
    return new Promise((resolve) => {
      const receivers = waiting.get(id) ?? new Set();
      waiting.set(id, receivers);
      const end = (sign: Sign | undefined) => {
        clearTimeout(timer);
        receivers.delete(receive);
        if (receivers.size === 0) waiting.delete(id);
        resolve(sign);
      };
      const receive = (sign: Sign) => signs.includes(sign) && end(sign);
      const timer = setTimeout(() => end(undefined), waitMs);
      receivers.add(receive);
    });
  }

  /** A start is a sign only after the end: an earlier one is the start of the run that ended. */
  async function signOfEnd(id: string, since: number): Promise<Sign | undefined> {
    const hasEnded = () => endSince(id, since) !== undefined;
    const known = latest.get(id);
    if (known !== undefined && (known !== 'start' || hasEnded())) return known;
    const sign = await next(
      id,
      [...ends, 'gap', 'signalled'],
      signalled.has(id) ? signalledStopWaitMs : stopWaitMs,
    );
    if (sign === 'start' && !hasEnded()) return await next(id, [...ends, 'gap'], signalledStopWaitMs);
    return sign === 'signalled' ? await next(id, [...ends, 'gap'], signalledStopWaitMs) : sign;
  }

  function endSince(id: string, since: number): RunEnd | undefined {
    const end = runEnds.get(id);
    return end !== undefined && end.at >= since ? end : undefined;
  }

  function forget(id: string): void {
    latest.delete(id);
    expected.delete(id);
    signalled.delete(id);
    runEnds.delete(id);
    outOfMemoryAt.delete(id);
  }

  function recordEnd({ id, action, exitCode }: ContainerEvent): void {
    if (action === 'oom') outOfMemoryAt.set(id, now());
    if (action === 'start') outOfMemoryAt.delete(id);
    if (action !== 'die') return;
    const ranOutAt = outOfMemoryAt.get(id);
    const wasLately = ranOutAt !== undefined && now() - ranOutAt < outOfMemoryMs;
    const outOfMemory = wasLately || (ranOutAt !== undefined && exitCode === killedCode);
    runEnds.set(id, { exitCode, outOfMemory, at: now() });
  }

  return {
    receive(event) {
      const { id, action, signal } = event;
      recordEnd(event);
      if (action === 'start') {
        expected.delete(id);
        signalled.delete(id);
      }
      if (action === 'kill' && signal !== undefined && signal !== sigkill) {
        signalled.add(id);
        notify(id, 'signalled');
      }
      notify(id, action);
      // Its end may still be queried for a moment.
      if (action === 'destroy') setTimeout(() => forget(id), startWaitMs).unref?.();
    },
    gap() {
      latest.clear();
      for (const id of waiting.keys()) notify(id, 'gap');
    },
    expect: (id) => void expected.add(id),
    lastEnd: endSince,
    async staysDown(id, since) {
      if (expected.has(id)) return true;
      if ((await signOfEnd(id, since)) !== 'stop') return false;
      return (await next(id, ['start', 'destroy', 'gap'], startWaitMs)) === undefined;
    },
  };
}
