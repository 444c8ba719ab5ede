import type { ListedTool } from '../catalog/catalog.ts';
import type { ServerFeatures } from '../catalog/features.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { toFailure } from '../failure.ts';
import type { ConnectDependencies } from './connection/connect.ts';
import { createPendingCloses } from './connection/pending-closes.ts';
import {
  createServerConnections,
  type ServerConnections,
  type ServerState,
} from './sessions/server-connections.ts';
import { createSharing } from './sessions/sharing.ts';
import { createSubscriptions } from './sessions/subscriptions.ts';
import { mustTakeTurns, takeTurns } from './sessions/take-turns.ts';
import { createLogLines } from './transports/log-lines.ts';
import { StartFailure, unavailable, unknownServer } from './upstream-failures.ts';
import type { Candidate, Upstreams, UpstreamsDependencies } from './upstreams.ts';

const defaultDrainMs = 10_000;

/** The lists of a server that is not installed. */
interface Uninstalled {
  tools: readonly ListedTool[];
  features: ServerFeatures | undefined;
  /** A candidate whose start fails leaves nothing behind. */
  readonly isCandidate: boolean;
}

/**
 * Finds servers by name, and replaces a server's connections without a gap: the new ones serve from one call to the next,
 * and the older ones finish their calls. Containers that keep data take turns instead.
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
  const states = new Map<string, ServerState>();
  const pendingCloses = createPendingCloses();

  function stateOf(name: string): ServerState {
    const state = states.get(name) ?? createServerState();
    states.set(name, state);
    return state;
  }

  function deleteState(name: string): void {
    if (!installed.has(name)) states.delete(name);
  }

  /** Lists and notifications are passed on while these are the installed connections. */
  function create(config: ServerConfig, state: ServerState, uninstalled?: Uninstalled): ServerConnections {
    const isInstalled = () => installed.get(config.name) === connections;
    const connections = createServerConnections(connecting, {
      ...state,
      config,
      isCommitted: () => !uninstalled?.isCandidate || isInstalled(),
      onTools(tools) {
        if (isInstalled()) onTools(config, tools);
        else if (uninstalled) uninstalled.tools = tools;
      },
      onFeatures(features) {
        if (isInstalled()) dependencies.onFeatures?.(config, features);
        else if (uninstalled) uninstalled.features = features;
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

  function replace(connections: ServerConnections, state: ServerState): void {
    const older = installed.get(connections.config.name);
    put(connections, state);
    if (older) pendingCloses.add(older.drain('discard'));
  }

  function put(connections: ServerConnections, state: ServerState): void {
    const { name } = connections.config;
    installed.set(name, connections);
    // An earlier attempt that ended only now may have deleted it.
    states.set(name, state);
    onStatus(name);
  }

  /** Without `tryOut` the next call starts the server. */
  function replaceByTurns(
    next: ServerConnections,
    state: ServerState,
    tryOut?: ServerConnections,
  ): Promise<void> {
    const { name } = next.config;
    const older = installed.get(name);
    const replacing = takeTurns({
      ...{ older, next, tryOut, startsNext: tryOut !== undefined, installed: () => find(name) },
      olderPurpose: tryOut ? 'stop' : 'let-go',
      again: () => older && create(older.config, state),
      drainMs: dependencies.drainMs ?? defaultDrainMs,
      install(connections) {
        if (connections) return put(connections, state);
        installed.delete(name);
        deleteState(name);
      },
    });
    pendingCloses.add(replacing.catch(() => {}));
    return replacing;
  }

  /** Installs the config of the try-out; its lists are passed on once it serves. */
  async function commitTryOut(tryOut: ServerConnections, state: ServerState): Promise<void> {
    const { isTryOut: _, ...config } = tryOut.config;
    const uninstalled: Uninstalled = { tools: [], features: undefined, isCandidate: false };
    try {
      await replaceByTurns(create(config, state, uninstalled), state, tryOut);
    } catch (error) {
      throw new StartFailure(toFailure(error));
    }
    onTools(config, uninstalled.tools);
    if (uninstalled.features) dependencies.onFeatures?.(config, uninstalled.features);
  }

  function find(name: string): ServerConnections {
    const connections = installed.get(name);
    if (connections === undefined) throw unknownServer(name);
    return connections;
  }

  async function prepare(config: ServerConfig, signal?: AbortSignal): Promise<Candidate> {
    const uninstalled: Uninstalled = { tools: [], features: undefined, isCandidate: true };
    const state = stateOf(config.name);
    const connections = create(config, state, uninstalled);
    const giveUp = () => void connections.close('its start was broken off', 'discard');
    try {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', giveUp);
      const tools = await connections.start();
      return {
        tools,
        async commit() {
          if (config.isTryOut) return await commitTryOut(connections, state);
          replace(connections, state);
          // Changes between the listing and now.
          if (uninstalled.tools !== tools) onTools(config, uninstalled.tools);
          if (uninstalled.features) dependencies.onFeatures?.(config, uninstalled.features);
        },
        discard: () =>
          connections.close('it was not registered', 'discard').finally(() => deleteState(config.name)),
      };
    } catch (error) {
      pendingCloses.add(
        connections.close('its start failed', 'discard').finally(() => deleteState(config.name)),
      );
      throw new StartFailure(toFailure(error));
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  return {
    install(config) {
      const state = stateOf(config.name);
      const older = installed.get(config.name);
      const next = create(config, state);
      if (older && mustTakeTurns(older, config)) void replaceByTurns(next, state).catch(() => {});
      else replace(next, state);
    },
    prepare,
    async letGo(name) {
      const older = find(name);
      // The other process may update it to another image.
      const { imageId: _, ...config } = older.config;
      installed.set(name, create(config, stateOf(name)));
      onStatus(name);
      await older.close('another process looks after it now', 'let-go');
    },
    async remove(name, purpose = 'discard') {
      const connections = installed.get(name);
      installed.delete(name);
      deleteState(name);
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
    logs: (name, tail) => states.get(name)?.logLines.tail(tail) ?? [],
    followLogs: (name, onLine) => (installed.has(name) ? stateOf(name).logLines.follow(onLine) : () => {}),
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

function createServerState(): ServerState {
  return { logLines: createLogLines(), sharing: createSharing(), subscriptions: createSubscriptions() };
}
