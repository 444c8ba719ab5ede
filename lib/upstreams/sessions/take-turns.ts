import { unlessAborted, withTimeout } from '../../async/wait.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import type { Failure } from '../../failure.ts';
import type { ClosePurpose } from '../transports/transport.ts';
import { unavailable } from '../upstream-failures.ts';
import type { ServerConnections } from './server-connections.ts';

/**
 * Replaces the connections of a server in containers one after the other: two containers never serve on the same data
 * (docs/decisions/0016). Calls wait at a gate, which is installed in place of the server's connections, until the older
 * connections have finished their calls and closed, and the next ones have started. When these do not start, the older
 * config serves again. To close or drain the gate is to call off the replacement. Containers on the data are only stopped
 * here: the container store decides which container replaces which, and removes them.
 */
export interface TurnsOptions {
  readonly older: ServerConnections | undefined;
  /** What becomes of the older containers. */
  readonly olderPurpose: ClosePurpose;
  /** Has shown, on data of its own, that `next` can start; closed before `next` starts. */
  readonly tryOut: ServerConnections | undefined;
  readonly next: ServerConnections;
  /** Otherwise the first call starts `next`. */
  readonly startsNext: boolean;
  /** New connections of the older config. */
  readonly again: () => ServerConnections | undefined;
  /** How long calls in flight may take to finish, ms. */
  readonly drainMs: number;
  /** Undefined: the server has no connections any more. */
  readonly install: (connections: ServerConnections | undefined) => void;
  /** The installed connections. Throws `server_not_found`. */
  readonly installed: () => ServerConnections;
}

const tooLong = 'it is being replaced, and this call took too long to wait for';

/** Rejects when `next` did not start, or when the replacement was called off; `next` is stopped by then. */
export async function takeTurns(options: TurnsOptions): Promise<void> {
  const { older, tryOut, next, install } = options;
  const { name } = next.config;
  const wasUsed = older !== undefined && older.status().state !== 'idle';
  let calledOff: Failure | undefined;
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });

  function assertWanted(): void {
    if (calledOff) throw calledOff;
  }

  async function swap(): Promise<void> {
    await Promise.all([older && retire(older, options), tryOut?.close('it has been tried out', 'discard')]);
    assertWanted();
    if (options.startsNext) await next.start();
    assertWanted();
    install(next);
  }

  async function goBack(): Promise<void> {
    await next.close('its start failed', 'stop');
    if (calledOff) return;
    const again = options.again();
    install(again);
    open();
    if (wasUsed) await again?.start().catch(() => {});
  }

  async function callOff(reason: string, endOlder: () => Promise<void> | undefined): Promise<void> {
    calledOff ??= unavailable(name, reason);
    await Promise.all([endOlder(), tryOut?.close(reason, 'discard'), next.close(reason, 'stop')]);
    await over;
  }

  const gate = createGate(options, {
    opened,
    closed: () => calledOff ?? unavailable(name, 'it is being replaced'),
    drain: (purpose) => callOff('another config took its place', () => older?.drain(purpose)),
    close: (reason, purpose) => callOff(reason, () => older?.close(reason, purpose)),
  });
  install(gate);
  const swapped = swap();
  const over = swapped.catch(goBack).finally(open);
  await over;
  if (calledOff) throw calledOff;
  await swapped;
}

async function retire(
  older: ServerConnections,
  { olderPurpose, drainMs }: Pick<TurnsOptions, 'olderPurpose' | 'drainMs'>,
): Promise<void> {
  const isDrained = await withTimeout(
    older.drain(olderPurpose).then(() => true),
    drainMs,
    () => false,
  );
  if (!isDrained) await older.close(tooLong, olderPurpose);
}

interface GateEnds extends Pick<ServerConnections, 'drain' | 'close'> {
  /** Resolves when other connections are installed, or when the replacement is over. */
  readonly opened: Promise<void>;
  /** For calls after which the gate is still installed. */
  readonly closed: () => Failure;
}

function createGate(
  { older, next, installed }: Pick<TurnsOptions, 'older' | 'next' | 'installed'>,
  { opened, closed, drain, close }: GateEnds,
): ServerConnections {
  const both = older ? [older, next] : [next];

  async function afterwards<Result>(ask: (now: ServerConnections) => Promise<Result>): Promise<Result> {
    await opened;
    const now = installed();
    if (now === gate) throw closed();
    return await ask(now);
  }

  const gate: ServerConnections = {
    config: (older ?? next).config,
    request: (request) =>
      unlessAborted(opened, request.signal).then(() => afterwards((now) => now.request(request))),
    start: () => afterwards((now) => now.start()),
    relist: () => afterwards((now) => now.relist()),
    restart: () => afterwards((now) => now.restart()),
    status: () => ({ ...(older ?? next).status(), state: 'connecting' }),
    setLogLevel(sessionId, level) {
      for (const each of both) each.setLogLevel(sessionId, level);
    },
    rootsChanged(sessionId) {
      for (const each of both) each.rootsChanged(sessionId);
    },
    endSession(sessionId) {
      for (const each of both) each.endSession(sessionId);
    },
    activeSessions: () => both.flatMap((each) => each.activeSessions()),
    drain,
    close,
  };
  return gate;
}

/** Whether two containers could be on the same data if these connections were replaced at once. */
export function mustTakeTurns(older: ServerConnections, config: ServerConfig): boolean {
  const areContainers = older.config.image !== undefined && config.image !== undefined;
  return areContainers && older.status().state !== 'idle';
}
