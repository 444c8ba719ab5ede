import type { SharedNetwork } from '../../http/node-peers.ts';
import type { Log } from '../../log.ts';
import { deploymentLabel } from '../container-labels.ts';
import type { ContainerFacts, ContainerMount, Containers } from '../containers.ts';
import { noCredentials, type RegistryCredentials } from '../credentials/registry-credentials.ts';
import { isEngineUnavailable } from './engine-failures.ts';
import { attachTo } from './node-docker-attachment.ts';
import { createDockerClient, type DockerClient, unlessGone } from './node-docker-client.ts';
import { followEvents } from './node-docker-events.ts';
import { factsOfInspect, factsOfListed } from './node-docker-facts.ts';
import { createDockerImages, createDockerPinnedImages, readRegistryDigest } from './node-docker-images.ts';
import { createDockerLifeCycle } from './node-docker-life-cycle.ts';
import { createDockerLikeness } from './node-docker-likeness.ts';
import { followLogs, readLogs } from './node-docker-logs.ts';
import { createDockerNetwork } from './node-docker-network.ts';
import { createDockerVolumes } from './node-docker-volumes.ts';
import { createComposeProject, ownContainerName } from './node-own-container.ts';

/**
 * The Docker Engine behind `Containers`. One rule stands above all: containers are addressed by full ids from the
 * engine, never by names from outside (the client library does not escape them in URLs), and values that may be secret
 * travel in request bodies only.
 */
export interface DockerContainersOptions {
  /** `DOCKER_HOST`; undefined: the machine's default socket. */
  readonly dockerHost?: string | undefined;
  readonly deploymentId: string;
  /** Servers' ports are then reached over the servers' network, and not published. */
  readonly managerRunsInContainer: boolean;
  /** Id or name of the container this service runs in; its host name by default. */
  readonly ownContainer?: string;
  /** The network of the servers; `svc-mcp-<deploymentId>` by default. */
  readonly network?: string;
  /** Credentials for registries; none by default. */
  readonly credentials?: RegistryCredentials;
  /** Called before this service joins the network of the servers. */
  readonly onShared?: (network: SharedNetwork) => void;
  readonly log: Log;
}

export interface DockerContainers extends Containers {
  /** Called before the listeners open, because joining may break connections. Does nothing outside a container. */
  joinNetwork(): Promise<void>;
  /** The mounts of this service's own container; none outside a container, or when the engine does not know it. */
  ownMounts(): Promise<readonly ContainerMount[]>;
}

const problemLimitMs = 1900;
/** The engine compares all files of the layer, which takes time. */
const changesLimitMs = 60_000;

export function createDockerContainers(options: DockerContainersOptions): DockerContainers {
  const { deploymentId, managerRunsInContainer, log } = options;
  const { ownContainer = ownContainerName(), network = `svc-mcp-${deploymentId}` } = options;
  const client = createDockerClient(options.dockerHost);
  const project = managerRunsInContainer ? createComposeProject(client, ownContainer) : async () => undefined;
  const bridge = createDockerNetwork({
    ...{ client, deploymentId, project, log, name: network },
    ownContainer: managerRunsInContainer ? ownContainer : undefined,
    onShared: options.onShared ?? (() => {}),
  });
  const credentials = options.credentials ?? noCredentials;
  let own: readonly ContainerMount[] | undefined;
  const creating = { deploymentId, project, network, isPublished: !managerRunsInContainer };

  async function inspect(id: string): Promise<ContainerFacts | undefined> {
    const info = await unlessGone(() =>
      client.run((docker, abortSignal) => docker.getContainer(id).inspect({ abortSignal })),
    );
    return info && factsOfInspect(info, network);
  }

  return {
    ...createDockerImages(client, credentials, log),
    registryDigest: async (image) => readRegistryDigest(client, image, await credentials.find(image)),
    ...createDockerPinnedImages(client, deploymentId),
    ...createDockerLikeness(client, creating),
    ...createDockerVolumes(client, deploymentId, project),
    ...createDockerLifeCycle(client, bridge, creating),
    problem: () => problemOf(client),
    joinNetwork: async () => {
      if (managerRunsInContainer) await bridge.ensure();
    },
    inspect,
    async ownMounts() {
      if (!managerRunsInContainer) return [];
      // Constant for the lifetime of this container.
      own ??= (await inspect(ownContainer))?.mounts;
      return own ?? [];
    },
    async changes(id) {
      const changed = await unlessGone(() =>
        client.run(
          (docker: Compared, abortSignal) => docker.getContainer(id).changes({ abortSignal }),
          changesLimitMs,
        ),
      );
      // The engine omits the list for a container without changes.
      return Array.isArray(changed) ? changed.map(({ Path: path }) => path) : [];
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
    }): Promise<{ readonly Path: string }[] | Uint8Array | null>;
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
    return isEngineUnavailable(error) ? error.message : 'The container engine is in trouble.';
  }
}
