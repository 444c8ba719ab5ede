import type { ListedTool } from '../catalog/catalog.ts';
import { readCapabilities, type ServerCapabilities, type ServerOffers } from '../catalog/offers.ts';
import type { ServerConfig } from '../catalog/server-config.ts';
import type { Log } from '../observe/log.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { type ClientFacts, shakeHands } from './handshake.ts';
import { listOffers } from './list-offers.ts';
import { listTools } from './list-tools.ts';
import type { LogLines } from './log-lines.ts';
import { Multiplexer } from './multiplexer.ts';
import { resolveReferences } from './secret-references.ts';
import type { ServerNews } from './server-news.ts';
import { strayLine } from './stray-output.ts';
import type { ClosePurpose, Openers, OpenTransport, ServerEnd } from './transport.ts';
import { startTimedOut, unavailable } from './upstream-failures.ts';

/**
 * One attempt to reach a server: secrets, transport, handshake, tool list, all within `timeouts.startMs`. It
 * either gives a working connection or leaves nothing behind.
 */
export interface ConnectDependencies {
  readonly secrets: Secrets;
  readonly openers: Openers;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Milliseconds since 1970. */
  readonly wallClock: () => number;
  readonly log: Log;
  /** Told to servers. */
  readonly client: () => ClientFacts;
}

export interface ConnectOptions extends Pick<ServerNews, 'onUnasked' | 'onUntold' | 'onAsked'> {
  readonly config: ServerConfig;
  /** The MCP session that it serves alone. */
  readonly sessionId: string | undefined;
  readonly logLines: LogLines;
  /** Without it, `tools` is empty: a connection for one session needs no list of its own. */
  readonly listsTools: boolean;
  readonly signal: AbortSignal;
  readonly onEnd: (connection: Connection, reason: string, end?: ServerEnd) => void;
  readonly onListChanged: (connection: Connection) => void;
  /** What becomes of the server when this attempt fails. */
  readonly closePurpose: () => ClosePurpose;
  /** A failed attempt is over at once; what it started may take this long to be gone. */
  readonly onClosing: (closing: Promise<void>) => void;
}

export interface Connection {
  readonly multiplexer: Multiplexer;
  readonly capabilities: ServerCapabilities;
  readonly tools: readonly ListedTool[];
  /** Lists again. */
  list(): Promise<readonly ListedTool[]>;
  /** Lists what it offers besides tools; no part of the start. */
  listOffers(): Promise<ServerOffers>;
}

export async function connect(
  dependencies: ConnectDependencies,
  options: ConnectOptions,
): Promise<Connection> {
  const { config, signal } = options;
  const open = openerFor(config, dependencies.openers);
  const resolved = await resolveReferences(config, dependencies.secrets);
  signal.throwIfAborted();
  options.logLines.hide(resolved.values);
  let connection: Connection | undefined;
  let isOutdated = false;
  const multiplexer = new Multiplexer({
    config,
    open: (events) => open(resolved.config, events, options.sessionId),
    sessionId: options.sessionId,
    now: dependencies.now,
    lastId: firstIdBase(config, dependencies.wallClock()),
    closePurpose: () => (connection ? 'stop' : options.closePurpose()),
    onEnd: (reason, end) => connection && options.onEnd(connection, reason, end),
    onListChanged: () => {
      if (connection) options.onListChanged(connection);
      else isOutdated = true;
    },
    onUnasked: options.onUnasked,
    onUntold: options.onUntold,
    onAsked: options.onAsked,
    onStderr: options.logLines.write,
    onStray: config.transport === 'stdio' ? (text) => addStray(options.logLines, text) : undefined,
  });
  connection = await start(multiplexer, dependencies, options);
  if (isOutdated) options.onListChanged(connection);
  return connection;
}

function addStray(logLines: LogLines, text: string): void {
  const line = strayLine(text);
  if (line !== undefined) logLines.add(line);
}

/** @throws Failure `upstream_unavailable` */
function openerFor(config: ServerConfig, openers: Openers): OpenTransport {
  if (config.image === undefined) return openers[config.transport];
  if (openers.container) return openers.container;
  throw unavailable(config.name, 'no container engine is in use here');
}

/**
 * A container that outlived us may still answer what the service before us asked: ids that grow with the time
 * cannot be mistaken for those, for any service that makes less than a million calls in a second.
 */
function firstIdBase(config: ServerConfig, now: number): number {
  return config.image === undefined ? 0 : Math.floor(now) * 1000;
}

async function start(
  multiplexer: Multiplexer,
  { client }: ConnectDependencies,
  { config, signal, listsTools, closePurpose, onClosing }: ConnectOptions,
): Promise<Connection> {
  const { name, timeouts } = config;
  const giveUp = () => void multiplexer.fail(unavailable(name, 'it was stopped'), closePurpose());
  const timer = setTimeout(() => {
    const failure = startTimedOut(name, timeouts.startMs, multiplexer.heldUpBy);
    void multiplexer.fail(failure, closePurpose());
  }, timeouts.startMs);
  signal.addEventListener('abort', giveUp);
  try {
    // Longer than the timer, which knows the better sentence.
    const waitMs = timeouts.startMs * 2;
    const ourselves = client();
    const handshake = await shakeHands(multiplexer, name, ourselves, waitMs);
    const capabilities = readCapabilities(handshake.capabilities);
    const { gatewayId } = ourselves;
    const list = async (pageWaitMs: number) =>
      capabilities.tools ? await listTools(multiplexer, { server: name, waitMs: pageWaitMs, gatewayId }) : [];
    const tools = listsTools ? await list(waitMs) : [];
    return {
      multiplexer,
      capabilities,
      tools,
      list: () => list(timeouts.callMs),
      listOffers: () => listOffers(multiplexer, name, handshake, timeouts.callMs),
    };
  } catch (error) {
    onClosing(multiplexer.fail(unavailable(name, 'its start failed'), closePurpose()));
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}
