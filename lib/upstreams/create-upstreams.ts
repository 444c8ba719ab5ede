import type { ListedTool } from '../catalog/catalog.ts';
import type { ServerConfig } from '../catalog/server-config.ts';
import { toFailure } from '../http/failure.ts';
import type { Log } from '../observe/log.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { createClosings } from './closings.ts';
import type { ConnectDependencies } from './connect.ts';
import { createLogLines, type LogLines } from './log-lines.ts';
import { createServerConnections, type ServerConnections } from './server-connections.ts';
import type { Openers } from './transport.ts';
import { StartFailure, unknownServer } from './upstream-failures.ts';
import type { Candidate, Upstreams } from './upstreams.ts';

/**
 * Knows the servers by name, and swaps a server's connections without a gap: the new ones serve from one call
 * to the next, the older ones finish what they began.
 */
export interface UpstreamsDependencies {
  readonly secrets: Secrets;
  readonly openers: Openers;
  readonly log: Log;
  /** An installed server listed its tools: at each connect, and when it said that they changed. */
  readonly onTools: (config: ServerConfig, tools: readonly ListedTool[]) => void;
  /** `status(name)` is another one now. */
  readonly onStatus: (name: string) => void;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** Of this program, told to servers. */
  readonly clientVersion?: string;
}

const linesTold = 20;

type OnTools = (tools: readonly ListedTool[]) => void;

export function createUpstreams(dependencies: UpstreamsDependencies): Upstreams {
  const { secrets, openers, log, onTools, onStatus } = dependencies;
  const connecting: ConnectDependencies = {
    secrets,
    openers,
    log,
    now: dependencies.clock ?? Date.now,
    clientVersion: dependencies.clientVersion ?? '0',
  };
  const installed = new Map<string, ServerConnections>();
  const logs = new Map<string, LogLines>();
  const closings = createClosings();

  function logLinesOf(name: string): LogLines {
    const lines = logs.get(name) ?? createLogLines();
    logs.set(name, lines);
    return lines;
  }

  function forgetLogs(name: string): void {
    if (!installed.has(name)) logs.delete(name);
  }

  /** What it lists is news only while it is the installed one. */
  function create(config: ServerConfig, onUnseenTools?: OnTools): ServerConnections {
    const isInstalled = () => installed.get(config.name) === connections;
    const connections = createServerConnections(connecting, {
      config,
      logLines: logLinesOf(config.name),
      isInstalled,
      onTools: (tools) => (isInstalled() ? onTools(config, tools) : onUnseenTools?.(tools)),
      onStatus: () => isInstalled() && onStatus(config.name),
    });
    return connections;
  }

  function swapIn(connections: ServerConnections): void {
    const { name } = connections.config;
    const older = installed.get(name);
    installed.set(name, connections);
    if (older) closings.add(older.drain());
    onStatus(name);
  }

  function find(name: string): ServerConnections {
    const connections = installed.get(name);
    if (connections === undefined) throw unknownServer(name);
    return connections;
  }

  async function prepare(config: ServerConfig, signal?: AbortSignal): Promise<Candidate> {
    let latest: readonly ListedTool[] = [];
    const connections = create(config, (tools) => {
      latest = tools;
    });
    const giveUp = () => void connections.close('its start was broken off', 'discard');
    try {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', giveUp);
      const tools = await connections.start();
      return {
        tools,
        commit() {
          swapIn(connections);
          // What changed between the listing and now is told again.
          if (latest !== tools) onTools(config, latest);
        },
        discard: () =>
          connections.close('it was not registered', 'discard').finally(() => forgetLogs(config.name)),
      };
    } catch (error) {
      closings.add(connections.close('its start failed', 'discard').finally(() => forgetLogs(config.name)));
      throw new StartFailure(toFailure(error), logLinesOf(config.name).tail(linesTold));
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  return {
    install: (config) => swapIn(create(config)),
    prepare,
    async letGo(name) {
      const older = find(name);
      installed.set(name, create(older.config));
      onStatus(name);
      await older.close('another process looks after it now', 'let-go');
    },
    async remove(name) {
      const connections = installed.get(name);
      installed.delete(name);
      logs.delete(name);
      await connections?.close('it was removed', 'discard');
    },
    request: async (request) => find(request.server).request(request),
    connect: async (name) => find(name).start(),
    restart: async (name) => find(name).restart(),
    status: (name) => installed.get(name)?.status(),
    logs: (name, tail) => logs.get(name)?.tail(tail) ?? [],
    followLogs: (name, onLine) => (installed.has(name) ? logLinesOf(name).follow(onLine) : () => {}),
    endSession(sessionId) {
      for (const connections of installed.values()) connections.endSession(sessionId);
    },
    async close() {
      for (const connections of installed.values()) {
        closings.add(connections.close('the gateway is stopping', 'let-go'));
      }
      await closings.all();
    },
  };
}
