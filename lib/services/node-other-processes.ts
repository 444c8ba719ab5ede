import { existsSync } from 'node:fs';
import type { ClosingStack } from '../async/closing-stack.ts';
import { monotonicMs } from '../async/wait.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { ContainerHost } from '../container-host/node-container-host.ts';
import { createRoutedUpstreams } from '../container-host/routed-upstreams.ts';
import type { Database } from '../database/database.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings/settings.ts';
import { newSessionId } from '../text/node-random-id.ts';
import { createFindOwner } from '../upstreams/relay/find-owner.ts';
import { createNeedsManager } from '../upstreams/relay/needs-manager.ts';
import { createCallSender } from '../upstreams/relay/node-call-sender.ts';
import { createRelayProcesses } from '../upstreams/relay/relay-processes.ts';
import { createRelayedServers } from '../upstreams/relay/relayed-servers.ts';
import { createRemoteUpstreams } from '../upstreams/relay/remote-upstreams.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';

interface Dependencies {
  readonly database: Database;
  readonly installationId: string;
  /** The address of this process's manager port for other processes. */
  readonly url: string;
  readonly closing: ClosingStack;
  readonly log: Log;
}

/** What the processes on one database do for each other: the calls that one of them cannot make itself. */
export function createOtherProcesses(settings: Settings, dependencies: Dependencies) {
  const { database, installationId, url, closing, log } = dependencies;
  const relayProcesses = createRelayProcesses({
    ...{ database, url, log },
    processId: installationId,
    token: newSessionId(),
  });
  const { send, close } = createCallSender();
  closing.add('calls to other processes', close);
  return {
    relayProcesses,
    relayedServers: createRelayedServers(),
    /** The servers of this process and of others as one. */
    route: (local: Upstreams, host: ContainerHost, catalog: Pick<Catalog, 'server'>): Upstreams =>
      createRoutedUpstreams({
        ...{ local, catalog },
        remote: createRemoteUpstreams({
          ...{ findOwner: host.findOwner, send, log },
          whyNobody: host.absent.reason,
        }),
        manager: createRemoteUpstreams({
          ...{ findOwner: createFindOwner({ read: relayProcesses.current, now: monotonicMs }), send, log },
          whyNobody: async () => noManager,
          whyAway: noManager,
        }),
        isOwner: host.isOwner,
        absent: host.absent,
        needsManager: settings.isFolderless
          ? createNeedsManager({ hasSecrets: hasSecrets(settings) })
          : () => false,
      }),
  };
}

const noManager = 'it needs a manager, and none answers now';

function hasSecrets({ secrets }: Settings): boolean {
  return secrets.method !== 'env_file' || existsSync(secrets.path);
}
