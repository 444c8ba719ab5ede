import type { SharedNetwork } from '../http/node-refused-peers.ts';
import type { Log } from '../observe/log.ts';
import { deploymentLabel } from './container-labels.ts';
import type { Containers } from './containers.ts';
import { isEngineUnavailable } from './engine-failures.ts';
import { attachTo } from './node-docker-attachment.ts';
import { createDockerClient, type DockerClient, unlessGone } from './node-docker-client.ts';
import { followEvents } from './node-docker-events.ts';
import { factsOfInspect, factsOfListed } from './node-docker-facts.ts';
import { createDockerImageTags } from './node-docker-image-tags.ts';
import { createDockerImages } from './node-docker-images.ts';
import { createDockerLifeCycle } from './node-docker-life-cycle.ts';
import { followLogs, readLogs } from './node-docker-logs.ts';
import { createDockerNetwork, ownContainerName } from './node-docker-network.ts';
import { readRegistryDigest } from './node-docker-registry.ts';
import { createDockerVolumes } from './node-docker-volumes.ts';

/**
 * The Docker Engine behind `Containers`. One rule stands above all: containers are addressed by full ids that the
 * engine gave us, never by names that came from outside (the client library does not escape them in URLs), and what
 * may be secret travels in request bodies only.
 */
export interface DockerContainersOptions {
  /** `DOCKER_HOST`; undefined: the machine's default socket. */
  readonly dockerHost?: string | undefined;
  readonly deploymentId: string;
  /** Servers' ports are then reached over the servers' network, and not published. */
  readonly managerRunsInContainer: boolean;
  /** Id or name of the container this service runs in; its host name by default. */
  readonly ownContainer?: string;
  /** The servers' own; `svc-mcp-<deploymentId>` by default. */
  readonly network?: string;
  /** Told before this service joins the network of the servers. */
  readonly onShared?: (network: SharedNetwork) => void;
  readonly log: Log;
}

export interface DockerContainers extends Containers {
  /** To be done before anybody is served, because it may break connections; nothing where we run in no container. */
  joinNetwork(): Promise<void>;
}

const problemLimitMs = 1900;
/** The engine walks through the layer's files. */
const changesLimitMs = 60_000;

export function createDockerContainers(options: DockerContainersOptions): DockerContainers {
  const { deploymentId, managerRunsInContainer, log } = options;
  const { ownContainer = ownContainerName(), network = `svc-mcp-${deploymentId}` } = options;
  const client = createDockerClient(options.dockerHost);
  const bridge = createDockerNetwork({
    ...{ client, deploymentId, log, name: network },
    ownContainer: managerRunsInContainer ? ownContainer : undefined,
    onShared: options.onShared ?? (() => {}),
  });
  return {
    ...createDockerImages(client, log),
    ...createDockerImageTags(client, deploymentId),
    registryDigest: (image, auth) => readRegistryDigest(client, image, auth),
    ...createDockerVolumes(client, deploymentId),
    ...createDockerLifeCycle(client, bridge, { deploymentId, network, isPublished: !managerRunsInContainer }),
    problem: () => problemOf(client),
    joinNetwork: async () => {
      if (managerRunsInContainer) await bridge.ensure();
    },
    async inspect(id) {
      const info = await unlessGone(() =>
        client.run((docker, abortSignal) => docker.getContainer(id).inspect({ abortSignal })),
      );
      return info && factsOfInspect(info, network);
    },
    async changes(id) {
      const changed = await unlessGone(() =>
        client.run(
          (docker: Compared, abortSignal) => docker.getContainer(id).changes({ abortSignal }),
          changesLimitMs,
        ),
      );
      return (changed ?? []).map(({ Path: path }) => path);
    },
    async list() {
      const filters = { label: [`${deploymentLabel}=${deploymentId}`] };
      const listed = await client.run((docker, abortSignal) =>
        docker.listContainers({ all: true, filters, abortSignal }),
      );
      return listed.map(factsOfListed);
    },
    attach: (id) => attachTo(client, id),
    logs: (id, tail, stream) => readLogs(client, id, tail, stream),
    followLogs: (id, stream, onLine, signal) => followLogs(client, id, stream, onLine, signal),
    follow(onEvent, onGap, signal) {
      void followEvents({ client, deploymentId, onEvent, onGap, signal });
    },
  };
}

/** The library's own types do not know that these can be aborted. */
interface Compared {
  getContainer(id: string): {
    changes(options: {
      readonly abortSignal: AbortSignal;
    }): Promise<readonly { readonly Path: string }[] | null>;
  };
}

interface Pinged {
  ping(options: { readonly abortSignal: AbortSignal }): Promise<unknown>;
}

async function problemOf(client: DockerClient): Promise<string | undefined> {
  try {
    await client.run((docker: Pinged, abortSignal) => docker.ping({ abortSignal }), problemLimitMs);
    return undefined;
  } catch (error) {
    return isEngineUnavailable(error)
      ? 'The container engine does not answer.'
      : 'The container engine is in trouble.';
  }
}
