import type { ServerConfig } from '../../config/server-config.ts';
import type { Log } from '../../log.ts';
import type { ClosePurpose, ServerEnd, TransportEvents } from '../../upstreams/transports/transport.ts';
import type { Containers } from '../containers.ts';
import type { ContainerStore, LeasedContainer } from '../store/container-store.ts';
import {
  endOf,
  leaveRunning,
  type StartedContainer,
  startAttached,
  startProblem,
  startProblemFields,
} from './container-start.ts';

/**
 * A server's container from the moment a connection needs it until its release, for every transport. Its end is
 * reported once, by the first observer.
 */
export interface ContainerLife {
  /** Resolves once the container has started, or cannot start. */
  readonly opening: Promise<void>;
  /** Aborted when the connection is closed or has ended. */
  readonly over: AbortSignal;
  /** The server has answered. */
  keepRunning(): void;
  /** @param reason see `TransportEvents.onClose`. */
  end(reason: string, end?: ServerEnd): void;
  /**
   * @param farewell Runs before the release. For a server that has ended it must be quick: a request that needs the
   * server meanwhile would get another container.
   */
  close(purpose: ClosePurpose, farewell?: (hasEnded: boolean) => Promise<void> | undefined): Promise<void>;
}

export interface ContainerDependencies {
  readonly containers: Containers;
  readonly containerStore: Pick<ContainerStore, 'acquire'>;
  readonly log: Log;
}

export interface ContainerLifeOptions extends ContainerDependencies {
  readonly config: ServerConfig;
  readonly sessionId: string | undefined;
  readonly events: Pick<TransportEvents, 'onClose'>;
  /** Attaches to the output before anything is awaited, so that no output is missed. */
  readonly onStarted: (started: StartedContainer) => void | Promise<void>;
}

export function createContainerLife(options: ContainerLifeOptions): ContainerLife {
  const { containers, containerStore, log, config, events } = options;
  const over = new AbortController();
  let leased: LeasedContainer | undefined;
  let started: StartedContainer | undefined;
  let hasEnded = false;

  async function open(): Promise<void> {
    leased = await containerStore.acquire(config, options.sessionId);
    if (over.signal.aborted) return;
    started = await startAttached(containers, leased);
    const beginning = options.onStarted(started);
    started.attachment.onEnd(() => void onEnded());
    await beginning;
  }

  function onStartFailed(error: unknown): void {
    if (over.signal.aborted) return;
    log.warn(startProblemFields(config, error), 'A container could not be started.');
    end(startProblem(error));
  }

  async function onEnded(): Promise<void> {
    if (over.signal.aborted || leased === undefined || started === undefined) return;
    hasEnded = true;
    const { reason, ...facts } = await endOf(containers, leased, started, config.limits.memoryMb);
    end(reason, facts);
  }

  function end(reason: string, facts?: ServerEnd): void {
    if (over.signal.aborted) return;
    over.abort();
    events.onClose(reason, facts);
  }

  const opening = open().catch(onStartFailed);
  return {
    opening,
    over: over.signal,
    keepRunning() {
      if (leased === undefined) return;
      leased.answered();
      // A candidate's container that we can no longer stop must not restart by itself.
      if (!config.isTryOut) leaveRunning(containers, leased, log);
    },
    end,
    async close(purpose, farewell) {
      over.abort();
      await opening;
      await farewell?.(hasEnded);
      started?.attachment.detach();
      // A container that ended by itself may be restarting by itself.
      await leased?.release(hasEnded && purpose === 'stop' ? 'let-go' : purpose);
    },
  };
}
