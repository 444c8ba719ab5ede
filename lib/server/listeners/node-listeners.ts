import { join } from 'node:path';
import { until } from '../../async/wait.ts';
import { Failure, stillStarting } from '../../failure.ts';
import { isEndpoint, isOAuthPath, noOAuthAnswer } from '../../http/gateway-paths.ts';
import { createGuard, type Guard } from '../../http/guard.ts';
import { createNetworkCheck, createRefusedPeers, type SharedNetwork } from '../../http/node-peers.ts';
import { newRequestId } from '../../http/report-failure.ts';
import { failureBody, failureResponse } from '../../http/responses.ts';
import { failureObject } from '../../json-rpc/write.ts';
import type { Settings } from '../../settings/settings.ts';
import { relayPath } from '../../upstreams/relay/relay-lines.ts';
import { healthAnswer } from '../probe-answers.ts';
import { createConnectionLimits } from './node-connection-limits.ts';
import { mostConnections } from './node-descriptors.ts';
import {
  closeServer,
  hostToVisit,
  listenOnPort,
  listenOnSocket,
  untilAllAreAccepted,
} from './node-listen.ts';
import { createNodeListener, type NodeListener } from './node-listener.ts';
import type { RefusalBody } from './node-raw-refusals.ts';

/**
 * The ports and the admin socket of this process. They open before anything else is ready, so that a taken port ends the
 * start at once, and polling clients get a 503 meanwhile.
 */
export interface Listeners {
  /** Base addresses; for a role that another process serves, the address by the settings of this one. */
  readonly managerUrl: string;
  readonly gatewayUrl: string;
  /** From now on `handlers` answer requests. */
  mount(handlers: Handlers): void;
  /** From now on requests of agents are answered at once: everything is loaded. */
  ready(): void;
  /** From now on both ports refuse connections from this network. */
  refusePeersOf(network: SharedNetwork): void;
  /** Requests under way, apart from GETs: some of them never end, and the others end soon. */
  underWay(): number;
  /** From now on requests are still served, but each answer ends its connection, so that clients connect anew. */
  leave(): void;
  /** From now on the manager answers 503; agents are still answered as far as possible. */
  refuse(): void;
  /** Accepts no connections and ends event streams; resolves when the last request is answered, or cut off after 2 s. */
  close(): Promise<void>;
}

type Handle = (request: Request) => Promise<Response>;

export interface Handlers {
  readonly manager: Handle;
  readonly gateway: Handle;
  /** The manager set for callers on the admin socket. */
  readonly admin: Handle;
}

const starting: Handle = async (request) =>
  new URL(request.url).pathname === '/healthz'
    ? healthAnswer()
    : failureResponse(stillStarting(), newRequestId());

/** The same answer as from a new process until it is ready. */
const stopping: Handle = async (request) =>
  new URL(request.url).pathname === '/healthz'
    ? healthAnswer()
    : failureResponse(isStopping(), newRequestId());

function isStopping(): Failure {
  const sentence = 'The service is restarting; send this again in some seconds.';
  return new Failure('upstream_unavailable', sentence, { status: 503, headers: { 'Retry-After': '5' } });
}

/**
 * How long an agent's request waits for a start. A 503 is worse for the official clients: one of them ends, and all give
 * up their event stream after two (docs/decisions/0014).
 */
const agentsWaitMs = 15_000;
const lastAnswersMs = 2_000;
const firstBytesMs = 250;

export async function openListeners(settings: Settings): Promise<Listeners> {
  let handlers: Handlers = { manager: starting, gateway: starting, admin: starting };
  let isReady = false;
  let isLeaving = false;
  const listeners: NodeListener[] = [];
  const refusedPeers = createRefusedPeers();
  const { admit } = createConnectionLimits({
    most: mostConnections(),
    mostPerPeer: settings.maxConnectionsPerPeer,
    isExempt: createNetworkCheck(settings.trustedProxies),
    now: () => performance.now(),
  });
  const { host, managerPort, gatewayPort, roles } = settings;
  let managerUrl = `http://${hostToVisit(host)}:${managerPort}`;
  let gatewayUrl = `http://${hostToVisit(host)}:${gatewayPort}`;

  /** A request of an agent waits until the start is over. */
  async function onceReady(request: Request): Promise<Response> {
    if (isOAuthPath(new URL(request.url).pathname)) return noOAuthAnswer();
    const waits = request.method !== 'OPTIONS' && isEndpoint(request.url);
    if (waits) await until(() => isReady || isLeaving, agentsWaitMs);
    return handlers.gateway(request);
  }

  function listen(handle: Handle, guard: Guard, refusalBody: RefusalBody): NodeListener['server'] {
    const listener = createNodeListener({
      handle,
      guard,
      refusalBody,
      isRefusedPeer: refusedPeers.has,
      // The admin socket has no limit: the user who runs the service always gets in.
      admit: guard === allowAll ? undefined : admit,
    });
    listeners.push(listener);
    return listener.server;
  }

  if (roles.has('manager')) {
    const server = listen((request) => handlers.manager(request), managerGuard(settings), failureBody);
    managerUrl = await listenOnPort(server, host, managerPort, 'MANAGER_PORT');
    const admin = listen((request) => handlers.admin(request), allowAll, failureBody);
    await listenOnSocket(admin, join(settings.dataDir, 'admin.sock'));
  }
  if (roles.has('gateway')) {
    const handle: Handle = (request) => (isReady ? handlers.gateway(request) : onceReady(request));
    const server = listen(handle, gatewayGuard(settings), failureObject);
    gatewayUrl = await listenOnPort(server, host, gatewayPort, 'GATEWAY_PORT');
  }

  return {
    managerUrl: settings.publicManagerUrl ?? managerUrl,
    gatewayUrl: settings.publicGatewayUrl ?? gatewayUrl,
    mount(mounted) {
      handlers = mounted;
    },
    refusePeersOf: refusedPeers.add,
    underWay: () => listeners.reduce((sum, listener) => sum + listener.underWay(), 0),
    ready() {
      isReady = true;
    },
    leave() {
      isLeaving = true;
      for (const listener of listeners) listener.leave();
    },
    refuse() {
      handlers = { ...handlers, manager: stopping, admin: stopping };
    },
    async close() {
      await untilAllAreAccepted(listeners.map(({ server }) => server));
      const closed = listeners.map(({ server }) => closeServer(server));
      const cut = setTimeout(
        () => listeners.map(({ server }) => server.closeAllConnections()),
        lastAnswersMs,
      );
      for (const listener of listeners) listener.endEventStreams();
      // Not at once: the request of a client that has just connected may be on its way.
      const unused = setTimeout(() => {
        for (const listener of listeners) listener.endUnusedConnections();
      }, firstBytesMs);
      await Promise.all(closed);
      clearTimeout(unused);
      clearTimeout(cut);
    },
  };
}

function managerGuard(settings: Settings): Guard {
  return createGuard({
    originPolicy: 'same-host-and-port',
    // Other processes call us by that name.
    allowedHosts: [...settings.allowedHosts, ...hostsOf(settings.internalManagerUrl)],
    allowedOrigins: settings.allowedOrigins,
    token: settings.adminToken,
    ownTokenPath: relayPath,
    checksFetchSite: true,
  });
}

function gatewayGuard(settings: Settings): Guard {
  return createGuard({
    originPolicy: 'same-host-or-loopback',
    allowedHosts: settings.allowedHosts,
    // The page tries tools at the gateway, and may have been loaded from another host name.
    allowedOrigins: [...settings.allowedOrigins, ...originsOf(settings.publicManagerUrl)],
    token: settings.gatewayToken,
    isOpen: isOAuthPath,
    checksFetchSite: false,
  });
}

function hostsOf(url: string | undefined): string[] {
  return url === undefined ? [] : [new URL(url).hostname];
}

function originsOf(url: string | undefined): string[] {
  return url === undefined ? [] : [new URL(url).origin];
}

/** The file mode guards the admin socket: no browser can reach it. */
function allowAll(): void {}
