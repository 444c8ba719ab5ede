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
 * A server's container from the moment that a connection wants it until it is let go, however it is spoken to. Its end
 * is reported once, whoever notices it first.
 */
export interface ContainerLife {
  /** Resolves when it is started, or cannot be. */
  readonly opening: Promise<void>;
  /** Aborted when the connection is closed or over. */
  readonly over: AbortSignal;
  /** It has answered. */
  keepRunning(): void;
  /** @param reason see `TransportEvents.onClose`. */
  end(reason: string, end?: ServerEnd): void;
  /**
   * @param farewell what is to be done before it is released. To a server that has ended it must not take long: whoever
   * needs the server meanwhile would get another container.
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
  /** Listens to what it writes before anything is awaited, or something would be missed. */
  readonly onStarted: (started: StartedContainer) => void | Promise<void>;
}

export function createContainerLife(options: ContainerLifeOptions): ContainerLife {
  const { containers, containerStore, log, config, events } = options;
  const over = new AbortController();
  let held: LeasedContainer | undefined;
  let started: StartedContainer | undefined;
  let hasEnded = false;

  async function open(): Promise<void> {
    held = await containerStore.acquire(config, options.sessionId);
    if (over.signal.aborted) return;
    started = await startAttached(containers, held);
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
    if (over.signal.aborted || held === undefined || started === undefined) return;
    hasEnded = true;
    const { reason, ...facts } = await endOf(containers, held, started, config.limits.memoryMb);
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
      if (held === undefined) return;
      held.answered();
      // A try-out that we cannot end any more must not come back by itself.
      if (!config.isTryOut) leaveRunning(containers, held, log);
    },
    end,
    async close(purpose, farewell) {
      over.abort();
      await opening;
      await farewell?.(hasEnded);
      started?.attachment.detach();
      // What ended by itself may be coming back by itself.
      await held?.release(hasEnded && purpose === 'stop' ? 'let-go' : purpose);
    },
  };
}
