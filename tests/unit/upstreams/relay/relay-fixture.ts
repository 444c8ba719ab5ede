import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Response as FastResponse } from '@whatwg-node/fetch';
import { managerRoutes } from '../../../../handlers/manager/routes.ts';
import { serveManager } from '../../../../handlers/manager/serve-manager.ts';
import { createCancellation } from '../../../../lib/async/cancellation.ts';
import { createLocalBus } from '../../../../lib/events/local-bus.ts';
import { createGuard } from '../../../../lib/http/guard.ts';
import { failureBody, useResponseClass } from '../../../../lib/http/responses.ts';
import { type Log, silentLog } from '../../../../lib/log.ts';
import { createClientChannels } from '../../../../lib/mcp/calls.ts';
import { createNodeListener } from '../../../../lib/server/listeners/node-listener.ts';
import {
  type ClientRequests,
  createClientRequests,
} from '../../../../lib/sessions/client-requests/client-requests.ts';
import type { Sessions } from '../../../../lib/sessions/sessions.ts';
import { newSessionId } from '../../../../lib/text/node-random-id.ts';
import { createCallSender } from '../../../../lib/upstreams/relay/node-call-sender.ts';
import { relayPath } from '../../../../lib/upstreams/relay/relay-lines.ts';
import { createRemoteUpstreams, type RelayOwner } from '../../../../lib/upstreams/relay/remote-upstreams.ts';
import type { UpstreamRequest, Upstreams } from '../../../../lib/upstreams/upstreams.ts';
import { createManagerContext } from '../../../support/manager-context.ts';
import { createMemorySessions } from '../../../support/memory-sessions.ts';
import { createRecordingLog, type LogEntry } from '../../../support/recording-log.ts';
import { createScriptedUpstreams, type ScriptedUpstreams } from '../../../support/scripted-upstreams.ts';

/** Its idle connections keep no process alive. */
const sender = createCallSender();

export const relayToken = 'token-of-the-owner';

/** An owner's manager port as the service opens it, in front of servers that do what the test says. */
export interface Owner {
  readonly url: string;
  readonly upstreams: ScriptedUpstreams;
  readonly sessions: Sessions;
  readonly clientRequests: ClientRequests;
  readonly logged: readonly LogEntry[];
  /** How many were opened so far. */
  connections(): number;
  close(): void;
}

export async function startOwner(port = 0): Promise<Owner> {
  useResponseClass(FastResponse);
  const { log, logged } = createRecordingLog();
  const upstreams = createScriptedUpstreams();
  const bus = createLocalBus({ log });
  const newId = newSessionId;
  const sessions = createMemorySessions({ bus, newId, now: () => 0, ttlSeconds: 60 });
  const clientRequests = createClientRequests({ bus, newId });
  const context = createManagerContext({
    service: { maxBodyBytes: 65_536 },
    isRelay: async (authorization) => authorization === `Bearer ${relayToken}`,
    upstreams,
    clientChannels: createClientChannels({ requests: clientRequests, sessions }),
    log,
  });
  const guard = createGuard({
    originPolicy: 'same-host-and-port',
    allowedHosts: [],
    allowedOrigins: [],
    token: 'the-admin-token',
    ownTokenPath: relayPath,
    checksFetchSite: true,
  });
  const handle = serveManager(managerRoutes(), context);
  const { server } = createNodeListener({ handle, guard, refusalBody: failureBody });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    upstreams,
    sessions,
    clientRequests,
    logged,
    connections: () => connections,
    close() {
      clientRequests.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Another process, that reaches the owners in this order, each after the one before was of no use. */
export function remoteOf(...owners: (RelayOwner | undefined)[]): Pick<Upstreams, 'request'> {
  return remoteWith({}, ...owners);
}

/** The same with `log`, or with an owner that may be silent for so long only. */
export function remoteWith(
  { silentMs = 60_000, log = silentLog }: { silentMs?: number; log?: Log },
  ...owners: (RelayOwner | undefined)[]
): Pick<Upstreams, 'request'> {
  const left = [...owners];
  return createRemoteUpstreams({
    ...{ send: sender.send, silentMs, log },
    async findOwner(useless) {
      // The database answers later than this process.
      await setImmediate();
      if (useless !== undefined) left.shift();
      return left[0];
    },
  });
}

export function ownerAt({ url }: Owner): RelayOwner {
  return { url, token: relayToken };
}

export function call(changes: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return {
    server: 'demo',
    sessionId: 'session-1',
    method: 'tools/call',
    params: () => '{"name":"echo"}',
    signal: createCancellation().signal,
    ...changes,
  };
}
