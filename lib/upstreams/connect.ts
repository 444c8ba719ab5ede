import type { ListedTool } from '../catalog/catalog.ts';
import type { ServerConfig } from '../catalog/server-config.ts';
import type { Log } from '../observe/log.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { shakeHands } from './handshake.ts';
import { listTools } from './list-tools.ts';
import type { LogLines } from './log-lines.ts';
import { Multiplexer } from './multiplexer.ts';
import { resolveReferences } from './secret-references.ts';
import type { Openers } from './transport.ts';
import { startTimedOut, unavailable } from './upstream-failures.ts';

/**
 * One attempt to reach a server: secrets, transport, handshake, tool list, all within `timeouts.startMs`. It
 * either gives a working connection or leaves nothing behind.
 */
export interface ConnectDependencies {
  readonly secrets: Secrets;
  readonly openers: Openers;
  readonly now: () => number;
  readonly log: Log;
  /** Version of this program, told to servers. */
  readonly clientVersion: string;
}

export interface ConnectOptions {
  readonly config: ServerConfig;
  readonly logLines: LogLines;
  /** Without it, `tools` is empty: a connection for one session needs no list of its own. */
  readonly listsTools: boolean;
  readonly signal: AbortSignal;
  readonly onEnd: (connection: Connection, reason: string) => void;
  readonly onListChanged: (connection: Connection) => void;
  /** A failed attempt is over at once; what it started may take this long to be gone. */
  readonly onClosing: (closing: Promise<void>) => void;
}

export interface Connection {
  readonly multiplexer: Multiplexer;
  readonly tools: readonly ListedTool[];
  /** Lists again. */
  list(): Promise<readonly ListedTool[]>;
}

export async function connect(
  dependencies: ConnectDependencies,
  options: ConnectOptions,
): Promise<Connection> {
  const { config, signal } = options;
  const resolved = await resolveReferences(config, dependencies.secrets);
  if (config.image !== undefined) throw unavailable(config.name, 'no container engine is in use here');
  signal.throwIfAborted();
  options.logLines.hide(resolved.values);
  let connection: Connection | undefined;
  let isOutdated = false;
  const multiplexer = new Multiplexer({
    config,
    open: (events) => dependencies.openers[config.transport](resolved.config, events),
    now: dependencies.now,
    onEnd: (reason) => connection && options.onEnd(connection, reason),
    onListChanged: () => {
      if (connection) options.onListChanged(connection);
      else isOutdated = true;
    },
    onStderr: options.logLines.write,
  });
  connection = await start(multiplexer, dependencies, options);
  if (isOutdated) options.onListChanged(connection);
  return connection;
}

async function start(
  multiplexer: Multiplexer,
  { log, clientVersion }: ConnectDependencies,
  { config, signal, listsTools, onClosing }: ConnectOptions,
): Promise<Connection> {
  const { name, timeouts } = config;
  const giveUp = () => void multiplexer.fail(unavailable(name, 'it was stopped'));
  const timer = setTimeout(
    () => void multiplexer.fail(startTimedOut(name, timeouts.startMs)),
    timeouts.startMs,
  );
  signal.addEventListener('abort', giveUp);
  try {
    // Longer than the timer, which knows the better sentence.
    const waitMs = timeouts.startMs * 2;
    const { hasTools } = await shakeHands(multiplexer, name, clientVersion, waitMs);
    const list = async (pageWaitMs: number) =>
      hasTools ? await listTools(multiplexer, { server: name, waitMs: pageWaitMs, log }) : [];
    const tools = listsTools ? await list(waitMs) : [];
    return { multiplexer, tools, list: () => list(timeouts.callMs) };
  } catch (error) {
    onClosing(multiplexer.fail(unavailable(name, 'its start failed')));
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}
