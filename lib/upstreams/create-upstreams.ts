import type { ListedTool } from '../catalog/catalog.ts';
import type { ServerFeatures } from '../catalog/features.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { toFailure } from '../failure.ts';
import type { ConnectDependencies } from './connection/connect.ts';
import { createPendingCloses } from './connection/pending-closes.ts';
import { createServerConnections, type ServerConnections } from './sessions/server-connections.ts';
import { createSharing, type Sharing } from './sessions/sharing.ts';
import { createSubscriptions, type Subscriptions } from './sessions/subscriptions.ts';
import { mustTakeTurns, takeTurns } from './sessions/take-turns.ts';
import { createLogLines, type LogLines } from './transports/log-lines.ts';
import { StartFailure, unavailable, unknownServer } from './upstream-failures.ts';
import type { Candidate, Upstreams, UpstreamsDependencies } from './upstreams.ts';

const defaultDrainMs = 10_000;

/** Hears of a server that is not installed, yet or any more. */
interface Unseen {
  tools: readonly ListedTool[];
  features: ServerFeatures | undefined;
  /** Until it is installed, nothing of it is kept when it does not start. */
  readonly isCandidate: boolean;
}

/**
 * Knows the servers by name, and swaps a server's connections without a gap: the new ones serve from one call
 * to the next, the older ones finish what they began. Containers that keep data take turns instead.
 */
export function createUpstreams(dependencies: UpstreamsDependencies): Upstreams {
  const { secrets, openers, log, onTools, onStatus } = dependencies;
  const connecting: ConnectDependencies = {
    secrets,
    openers,
    log,
    clients: dependencies.clients,
    now: dependencies.now ?? (() => performance.now()),
    wallClock: dependencies.wallClock ?? Date.now,
    client: () => ({
      version: dependencies.clientVersion ?? '0',
      gatewayId: dependencies.gatewayId?.() ?? '',
    }),
  };
  const installed = new Map<string, ServerConnections>();
  const kept = createPerServerState();
  const pendingCloses = createPendingCloses();

  function forget(name: string): void {
    if (!installed.has(name)) kept.forget(name);
  }

  /** What it lists is news only while it is the installed one. */
  function create(config: ServerConfig, ofServer: Kept, unseen?: Unseen): ServerConnections {
    const isInstalled = () => installed.get(config.name) === connections;
    const connections = createServerConnections(connecting, {
      ...ofServer,
      config,
      isCommitted: () => !unseen?.isCandidate || isInstalled(),
      onTools(tools) {
        if (isInstalled()) onTools(config, tools);
        else if (unseen) unseen.tools = tools;
      },
      onFeatures(features) {
        if (isInstalled()) dependencies.onFeatures?.(config, features);
        else if (unseen) unseen.features = features;
      },
      onStatus: () => isInstalled() && onStatus(config.name),
      onUnsolicited: (notification, sessionId) => {
        if (isInstalled()) dependencies.onUnsolicited?.(config.name, notification, sessionId);
      },
      async elsewhere(request) {
        if (isInstalled()) throw unavailable(config.name, 'it was stopped');
        return await find(config.name).request(request);
      },
    });
    return connections;
  }

  function swapIn(connections: ServerConnections, ofServer: Kept): void {
    const { name } = connections.config;
    const older = installed.get(name);
    put(connections, ofServer);
    if (older) pendingCloses.add(older.drain('discard'));
  }

  function put(connections: ServerConnections, ofServer: Kept): void {
    const { name } = connections.config;
    installed.set(name, connections);
    kept.keep(name, ofServer);
    onStatus(name);
  }

  /** Without `tryOut` the next call starts it. */
  function swapByTurns(next: ServerConnections, ofServer: Kept, tryOut?: ServerConnections): Promise<void> {
    const { name } = next.config;
    const older = installed.get(name);
    const swapping = takeTurns({
      ...{ older, next, tryOut, startsNext: tryOut !== undefined, installed: () => find(name) },
      olderPurpose: tryOut ? 'stop' : 'let-go',
      again: () => older && create(older.config, ofServer),
      drainMs: dependencies.drainMs ?? defaultDrainMs,
      install(connections) {
        if (connections) return put(connections, ofServer);
        installed.delete(name);
        forget(name);
      },
    });
    pendingCloses.add(swapping.catch(() => {}));
    return swapping;
  }

  /** Its config as it is to serve; what it lists until it does is told then. */
  async function commitTryOut(tryOut: ServerConnections, ofServer: Kept): Promise<void> {
    const { isTryOut: _, ...config } = tryOut.config;
    const unseen: Unseen = { tools: [], features: undefined, isCandidate: false };
    try {
      await swapByTurns(create(config, ofServer, unseen), ofServer, tryOut);
    } catch (error) {
      throw new StartFailure(toFailure(error));
    }
    onTools(config, unseen.tools);
    if (unseen.features) dependencies.onFeatures?.(config, unseen.features);
  }

  function find(name: string): ServerConnections {
    const connections = installed.get(name);
    if (connections === undefined) throw unknownServer(name);
    return connections;
  }

  async function prepare(config: ServerConfig, signal?: AbortSignal): Promise<Candidate> {
    const unseen: Unseen = { tools: [], features: undefined, isCandidate: true };
    const ofServer = kept.of(config.name);
    const connections = create(config, ofServer, unseen);
    const giveUp = () => void connections.close('its start was broken off', 'discard');
    try {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', giveUp);
      const tools = await connections.start();
      return {
        tools,
        async commit() {
          if (config.isTryOut) return await commitTryOut(connections, ofServer);
          swapIn(connections, ofServer);
          // What changed between the listing and now is told again.
          if (unseen.tools !== tools) onTools(config, unseen.tools);
          if (unseen.features) dependencies.onFeatures?.(config, unseen.features);
        },
        discard: () =>
          connections.close('it was not registered', 'discard').finally(() => forget(config.name)),
      };
    } catch (error) {
      pendingCloses.add(connections.close('its start failed', 'discard').finally(() => forget(config.name)));
      throw new StartFailure(toFailure(error));
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  return {
    install(config) {
      const ofServer = kept.of(config.name);
      const older = installed.get(config.name);
      const next = create(config, ofServer);
      if (older && mustTakeTurns(older, config)) void swapByTurns(next, ofServer).catch(() => {});
      else swapIn(next, ofServer);
    },
    prepare,
    async letGo(name) {
      const older = find(name);
      // The other process may update it to another image.
      const { imageId: _, ...config } = older.config;
      installed.set(name, create(config, kept.of(name)));
      onStatus(name);
      await older.close('another process looks after it now', 'let-go');
    },
    async remove(name, purpose = 'discard') {
      const connections = installed.get(name);
      installed.delete(name);
      forget(name);
      await connections?.close('it was removed', purpose);
    },
    request(request) {
      const connections = installed.get(request.server);
      return connections?.request(request) ?? Promise.reject(unknownServer(request.server));
    },
    connect: async (name) => find(name).start(),
    relist: async (name) => find(name).relist(),
    async restart(name) {
      const restarting = find(name).restart();
      return await restarting.catch((error: unknown) => {
        throw new StartFailure(toFailure(error));
      });
    },
    status: (name) => installed.get(name)?.status(),
    logs: (name, tail) => kept.known(name)?.logLines.tail(tail) ?? [],
    followLogs: (name, onLine) => (installed.has(name) ? kept.of(name).logLines.follow(onLine) : () => {}),
    setLogLevel: (name, sessionId, level) => installed.get(name)?.setLogLevel(sessionId, level),
    rootsChanged(sessionId) {
      for (const connections of installed.values()) connections.rootsChanged(sessionId);
    },
    endSession(sessionId) {
      for (const connections of installed.values()) connections.endSession(sessionId);
    },
    activeSessions: () => [...installed.values()].flatMap((connections) => connections.activeSessions()),
    async close() {
      for (const connections of installed.values()) {
        pendingCloses.add(connections.close('the gateway is stopping', 'let-go'));
      }
      await pendingCloses.all();
    },
  };
}

/** What is kept of a server over its connections. */
export interface Kept {
  readonly logLines: LogLines;
  readonly sharing: Sharing;
  readonly subscriptions: Subscriptions;
}

export interface PerServerState {
  /** Begun when there is nothing yet. */
  of(name: string): Kept;
  known(name: string): Kept | undefined;
  /** An attempt before this one may have been over only now, and have forgotten it. */
  keep(name: string, kept: Kept): void;
  forget(name: string): void;
}

export function createPerServerState(): PerServerState {
  const servers = new Map<string, Kept>();
  return {
    of(name) {
      const known = servers.get(name);
      if (known) return known;
      const fresh = {
        logLines: createLogLines(),
        sharing: createSharing(),
        subscriptions: createSubscriptions(),
      };
      servers.set(name, fresh);
      return fresh;
    },
    known: (name) => servers.get(name),
    keep: (name, kept) => void servers.set(name, kept),
    forget: (name) => void servers.delete(name),
  };
}
