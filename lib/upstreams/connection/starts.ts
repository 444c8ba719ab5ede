import { createSingleFlight } from '../../async/single-flight.ts';
import { unlessAborted, withTimeout } from '../../async/wait.ts';
import { type Failure, toFailure } from '../../failure.ts';
import type { ClosePurpose } from '../transports/transport.ts';
import { unavailable } from '../upstream-failures.ts';
import type { UpstreamRequest } from '../upstreams.ts';
import { type ConnectDependencies, type Connection, type ConnectOptions, connect } from './connect.ts';
import type { ServerFailures } from './failure-hints.ts';
import { createPendingCloses, type PendingCloses } from './pending-closes.ts';

/**
 * The starts of one connection. Concurrent callers share one start, and a failed start is forgotten. A start waits until
 * the processes and sockets of earlier ones are gone, so that two of one server never run at the same time.
 */
export interface Starts {
  isUnderWay(): boolean;
  /** Begins a start unless one is under way. @param request A call that waits for the start, until it is aborted. */
  join(request?: StartingRequest): Promise<Connection>;
  /** Resolves when no start is under way. */
  settled(): Promise<void>;
  /** Gives up the start under way; the next `join` begins another. */
  abandon(failure: Failure): void;
  /** What the next start waits for. */
  readonly closes: PendingCloses;
}

type StartingRequest = Pick<UpstreamRequest, 'clientChannel' | 'signal'>;

export interface StartsOptions
  extends Omit<ConnectOptions, 'signal' | 'starter' | 'closePurpose' | 'onPendingClose'> {
  readonly failures: ServerFailures;
  /** What becomes of the server when the start with this signal fails. */
  readonly closePurpose: (signal: AbortSignal) => ClosePurpose;
  readonly onBegin: () => void;
  readonly onConnected: (connection: Connection) => void;
  /** Not called for a start that was given up. */
  readonly onFailed: (failure: Failure) => void;
}

/** Longer than a process or container is given to end by itself. */
const closesWaitMs = 30_000;

export function createStarts(dependencies: ConnectDependencies, options: StartsOptions): Starts {
  const { failures, config } = options;
  const closes = createPendingCloses();
  /** Calls that wait for a start: the server may ask their clients for something meanwhile. */
  const waiting = new Set<StartingRequest>();
  const flight = createSingleFlight(attempt);

  async function attempt(signal: AbortSignal): Promise<Connection> {
    options.onBegin();
    try {
      await untilEarlierAreGone(signal);
      failures.begin();
      const connection = await connect(dependencies, {
        ...options,
        signal,
        starter: () => [...waiting].find(({ clientChannel }) => clientChannel?.canAnswer)?.clientChannel,
        closePurpose: () => options.closePurpose(signal),
        onPendingClose: closes.add,
      });
      if (signal.aborted) {
        closes.add(connection.multiplexer.fail(toFailure(signal.reason), options.closePurpose(signal)));
        throw signal.reason;
      }
      options.onConnected(connection);
      return connection;
    } catch (error) {
      if (signal.aborted) throw error;
      const failure = failures.explained(toFailure(error), true);
      options.onFailed(failure);
      throw failure;
    }
  }

  async function untilEarlierAreGone(signal: AbortSignal): Promise<void> {
    await withTimeout(unlessAborted(closes.all(), signal), closesWaitMs, () => {
      throw unavailable(config.name, 'it does not end');
    });
  }

  return {
    isUnderWay: flight.isUnderWay,
    join(request) {
      if (request === undefined) return flight.join();
      const forget = () => void waiting.delete(request);
      const connection = unlessAborted(flight.join(), request.signal);
      waiting.add(request);
      connection.then(forget, forget);
      return connection;
    },
    settled: flight.settled,
    abandon: (failure) => closes.add(flight.abandon(failure)),
    closes,
  };
}
