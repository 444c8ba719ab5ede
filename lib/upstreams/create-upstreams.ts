import type { ListedTool } from '../catalog/catalog.ts';
import type { ServerOffers } from '../catalog/offers.ts';
import type { ServerConfig } from '../catalog/server-config.ts';
import { toFailure } from '../http/failure.ts';
import { createClosings } from './closings.ts';
import type { ConnectDependencies } from './connect.ts';
import { createLogLines, type LogLines } from './log-lines.ts';
import { createServerConnections, type ServerConnections } from './server-connections.ts';
import { createSharing, type Sharing } from './sharing.ts';
import { createSubscriptions, type Subscriptions } from './subscriptions.ts';
import { StartFailure, unknownServer } from './upstream-failures.ts';
import type { Candidate, Upstreams } from './upstreams.ts';
import type { UpstreamsDependencies } from './upstreams-dependencies.ts';

const linesTold = 20;

/** What is kept of a server over its connections. */
interface Kept {
  readonly logLines: LogLines;
  readonly sharing: Sharing;
  readonly subscriptions: Subscriptions;
}

/** Hears of a server that is not installed, yet or any more. */
interface Unseen {
  tools: readonly ListedTool[];
  offers: ServerOffers | undefined;
}

/**
 * Knows the servers by name, and swaps a server's connections without a gap: the new ones serve from one call
 * to the next, the older ones finish what they began.
 */
export function createUpstreams(dependencies: UpstreamsDependencies): Upstreams {
  const { secrets, openers, log, onTools, onStatus } = dependencies;
  const connecting: ConnectDependencies = {
    secrets,
    openers,
    log,
    now: dependencies.now ?? (() => performance.now()),
    wallClock: dependencies.wallClock ?? Date.now,
    client: () => ({
      version: dependencies.clientVersion ?? '0',
      gatewayId: dependencies.gatewayId?.() ?? '',
    }),
  };
  const installed = new Map<string, ServerConnections>();
  const kept = new Map<string, Kept>();
  const closings = createClosings();

  function keptOf(name: string): Kept {
    const known = kept.get(name);
    if (known) return known;
    const fresh = {
      logLines: createLogLines(),
      sharing: createSharing(),
      subscriptions: createSubscriptions(),
    };
    kept.set(name, fresh);
    return fresh;
  }

  function forget(name: string): void {
    if (!installed.has(name)) kept.delete(name);
  }

  /** What it lists is news only while it is the installed one. */
  function create(config: ServerConfig, ofServer: Kept, unseen?: Unseen): ServerConnections {
    const isInstalled = () => installed.get(config.name) === connections;
    const connections = createServerConnections(connecting, {
      ...ofServer,
      config,
      isInstalled,
      onTools(tools) {
        if (isInstalled()) onTools(config, tools);
        else if (unseen) unseen.tools = tools;
      },
      onOffers(offers) {
        if (isInstalled()) dependencies.onOffers?.(config, offers);
        else if (unseen) unseen.offers = offers;
      },
      onStatus: () => isInstalled() && onStatus(config.name),
      onUnasked: (notification, sessionId) => {
        if (isInstalled()) dependencies.onUnasked?.(config.name, notification, sessionId);
      },
    });
    return connections;
  }

  function swapIn(connections: ServerConnections, ofServer: Kept): void {
    const { name } = connections.config;
    const older = installed.get(name);
    installed.set(name, connections);
    // An attempt before this one may have been over only now, and have forgotten it.
    kept.set(name, ofServer);
    if (older) closings.add(older.drain());
    onStatus(name);
  }

  function find(name: string): ServerConnections {
    const connections = installed.get(name);
    if (connections === undefined) throw unknownServer(name);
    return connections;
  }

  async function prepare(config: ServerConfig, signal?: AbortSignal): Promise<Candidate> {
    const unseen: Unseen = { tools: [], offers: undefined };
    const ofServer = keptOf(config.name);
    const connections = create(config, ofServer, unseen);
    const giveUp = () => void connections.close('its start was broken off', 'discard');
    try {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', giveUp);
      const tools = await connections.start();
      return {
        tools,
        async commit() {
          swapIn(connections, ofServer);
          // What changed between the listing and now is told again.
          if (unseen.tools !== tools) onTools(config, unseen.tools);
          if (unseen.offers) dependencies.onOffers?.(config, unseen.offers);
        },
        discard: () =>
          connections.close('it was not registered', 'discard').finally(() => forget(config.name)),
      };
    } catch (error) {
      closings.add(connections.close('its start failed', 'discard').finally(() => forget(config.name)));
      throw new StartFailure(toFailure(error), ofServer.logLines.tail(linesTold));
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  return {
    install(config) {
      const ofServer = keptOf(config.name);
      swapIn(create(config, ofServer), ofServer);
    },
    prepare,
    async letGo(name) {
      const older = find(name);
      // The other process may update it to another image.
      const { imageId: _, ...config } = older.config;
      installed.set(name, create(config, keptOf(name)));
      onStatus(name);
      await older.close('another process looks after it now', 'let-go');
    },
    async remove(name) {
      const connections = installed.get(name);
      installed.delete(name);
      forget(name);
      await connections?.close('it was removed', 'discard');
    },
    request(request) {
      const connections = installed.get(request.server);
      return connections?.request(request) ?? Promise.reject(unknownServer(request.server));
    },
    connect: async (name) => find(name).start(),
    restart: async (name) => find(name).restart(),
    status: (name) => installed.get(name)?.status(),
    logs: (name, tail) => kept.get(name)?.logLines.tail(tail) ?? [],
    followLogs: (name, onLine) => (installed.has(name) ? keptOf(name).logLines.follow(onLine) : () => {}),
    setLogLevel: (name, sessionId, level) => installed.get(name)?.setLogLevel(sessionId, level),
    rootsChanged: (name, sessionId) => installed.get(name)?.rootsChanged(sessionId),
    endSession(sessionId) {
      for (const connections of installed.values()) connections.endSession(sessionId);
    },
    heldSessions: () => [...installed.values()].flatMap((connections) => connections.heldSessions()),
    async close() {
      for (const connections of installed.values()) {
        closings.add(connections.close('the gateway is stopping', 'let-go'));
      }
      await closings.all();
    },
  };
}
