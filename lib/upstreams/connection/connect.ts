import type { ListedTool } from '../../catalog/catalog.ts';
import { readCapabilities, type ServerCapabilities, type ServerFeatures } from '../../catalog/features.ts';
import { resolveReferences } from '../../config/secret-references.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { memberText } from '../../json/raw-json.ts';
import type { Log } from '../../log.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { Multiplexer } from '../multiplexer/multiplexer.ts';
import type { ServerNotifications } from '../multiplexer/receiver.ts';
import type { SessionClients } from '../sessions/session-clients.ts';
import type { LogLines } from '../transports/log-lines.ts';
import { strayLine } from '../transports/stdio/stray-output.ts';
import type { ClosePurpose, Openers, OpenTransport, ServerEnd } from '../transports/transport.ts';
import { startTimedOut, unavailable } from '../upstream-failures.ts';
import type { ClientChannel } from '../upstreams.ts';
import {
  answerRoots,
  type ClientFacts,
  capabilitiesOfClient,
  listingCapabilities,
  shakeHands,
  sharedCapabilities,
} from './handshake.ts';
import { listServerFeatures, listServerTools } from './list-server.ts';

/**
 * One attempt to connect to a server: secrets, transport, handshake, tool list, all within `timeouts.startMs`. An
 * attempt gives a working connection or leaves nothing behind.
 */
export interface ConnectDependencies {
  readonly secrets: Secrets;
  readonly openers: Openers;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Milliseconds since 1970. */
  readonly wallClock: () => number;
  readonly log: Log;
  /** Sent to servers as `clientInfo`. */
  readonly client: () => ClientFacts;
  /** Absent: connections of one session declare what shared ones do, and clients cannot be asked outside of calls. */
  readonly clients?: SessionClients | undefined;
}

export interface ConnectOptions
  extends Pick<ServerNotifications, 'onUnsolicited' | 'onUndelivered' | 'onAskedBack'> {
  readonly config: ServerConfig;
  /** The one MCP session of the connection; only for `session`. */
  readonly sessionId?: string | undefined;
  /**
   * `shared`: kept running, tools listed at each start. `listing`: stopped once the tools are listed. `session`: serves
   * one session; never listed, and not restarted, because its state died with it.
   */
  readonly purpose: 'shared' | 'listing' | 'session';
  /** The client of a call that waits for this connection. */
  readonly starter: () => ClientChannel | undefined;
  readonly logLines: LogLines;
  readonly signal: AbortSignal;
  readonly onEnd: (connection: Connection, reason: string, end?: ServerEnd) => void;
  readonly onListChanged: (connection: Connection) => void;
  /** What becomes of the server when this attempt fails. */
  readonly closePurpose: () => ClosePurpose;
  /** A failed attempt rejects at once; its process or container may take longer to be gone. */
  readonly onPendingClose: (closing: Promise<void>) => void;
}

export interface Connection {
  readonly multiplexer: Multiplexer;
  readonly capabilities: ServerCapabilities;
  /** The handshake declared `roots`. */
  readonly declaresRoots: boolean;
  readonly tools: readonly ListedTool[];
  /** Lists the tools again. */
  list(): Promise<readonly ListedTool[]>;
  /** No part of the start. */
  listFeatures(): Promise<ServerFeatures>;
}

export async function connect(
  dependencies: ConnectDependencies,
  options: ConnectOptions,
): Promise<Connection> {
  const { config, signal } = options;
  const open = openerFor(config, dependencies.openers);
  const resolved = await resolveReferences(config, dependencies.secrets);
  const capabilities = await declaredBy(dependencies, options);
  signal.throwIfAborted();
  options.logLines.hide(resolved.values);
  const logWriter = options.logLines.writer();
  let connection: Connection | undefined;
  let isOutdated = false;
  const multiplexer = new Multiplexer({
    config,
    open: (events) => open(resolved.config, events, options.sessionId),
    sessionId: options.sessionId,
    clients: dependencies.clients,
    starter: options.starter,
    now: dependencies.now,
    lastId: firstIdBase(config, dependencies.wallClock()),
    closePurpose: () => (connection ? 'stop' : options.closePurpose()),
    onEnd(reason, end) {
      logWriter.end();
      if (connection) options.onEnd(connection, reason, end);
    },
    onListChanged: () => {
      if (connection) options.onListChanged(connection);
      else isOutdated = true;
    },
    onUnsolicited: options.onUnsolicited,
    onUndelivered: options.onUndelivered,
    onAskedBack: options.onAskedBack,
    onStderr: logWriter.write,
    onStray: config.transport === 'stdio' ? (text) => addStray(options.logLines, text) : undefined,
  });
  connection = await start(multiplexer, capabilities, dependencies, options).catch((error: unknown) => {
    logWriter.end();
    throw error;
  });
  if (isOutdated) options.onListChanged(connection);
  return connection;
}

/** Raw JSON of an object. */
async function declaredBy(
  { clients }: Pick<ConnectDependencies, 'clients'>,
  { sessionId, purpose }: Pick<ConnectOptions, 'sessionId' | 'purpose'>,
): Promise<string> {
  if (purpose === 'listing') return listingCapabilities;
  if (sessionId === undefined || clients === undefined) return sharedCapabilities;
  return capabilitiesOfClient((await clients.capabilitiesOf(sessionId)) ?? {});
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
 * A container that outlived an earlier process of this service may still answer requests of that process. Ids that grow
 * with the time differ from those of any service that makes less than a million calls in a second.
 */
function firstIdBase(config: ServerConfig, now: number): number {
  return config.image === undefined ? 0 : Math.floor(now) * 1000;
}

async function start(
  multiplexer: Multiplexer,
  declared: string,
  { client }: ConnectDependencies,
  { config, purpose, signal, closePurpose, onPendingClose, logLines }: ConnectOptions,
): Promise<Connection> {
  const { name, timeouts } = config;
  const giveUp = () => void multiplexer.fail(unavailable(name, 'it was stopped'), closePurpose());
  const timer = setTimeout(() => {
    const failure = startTimedOut(name, timeouts.startMs, multiplexer.blockedBy);
    void multiplexer.fail(failure, closePurpose());
  }, timeouts.startMs);
  signal.addEventListener('abort', giveUp);
  try {
    // Longer than the timer, whose sentence says more.
    const waitMs = timeouts.startMs * 2;
    const ourselves = client();
    const introduction = { client: ourselves, capabilities: declared };
    const handshake = await shakeHands(multiplexer, name, introduction, waitMs, logLines);
    const capabilities = readCapabilities(handshake.capabilities);
    const { gatewayId } = ourselves;
    const list = async (pageWaitMs: number) =>
      capabilities.tools
        ? await listServerTools(multiplexer, { server: name, waitMs: pageWaitMs, gatewayId })
        : [];
    const tools = purpose === 'session' ? [] : await list(waitMs);
    clearTimeout(timer);
    const declaresRoots = memberText(declared, 'roots') !== undefined;
    if (purpose === 'session' && declaresRoots) await answerRoots(multiplexer);
    multiplexer.assertOpen();
    return {
      multiplexer,
      capabilities,
      declaresRoots,
      tools,
      list: () => list(timeouts.callMs),
      listFeatures: () => listServerFeatures(multiplexer, name, handshake, timeouts.callMs),
    };
  } catch (error) {
    onPendingClose(multiplexer.fail(unavailable(name, 'its start failed'), closePurpose()));
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}
