import type { NetworkInspectInfo } from 'dockerode';
import type { SharedNetwork } from '../../http/node-peers.ts';
import type { Log } from '../../log.ts';
import { ownerLabels } from '../container-labels.ts';
import { abortable, type DockerClient, engineMessage, isRefusal } from './node-docker-client.ts';
import type { ComposeProject } from './node-own-container.ts';

/**
 * The bridge network of this deployment: isolates its servers from other containers of the host, and lets them reach
 * the outside. A service that itself runs in a container joins the network to reach HTTP servers.
 */
export interface DockerNetwork {
  /**
   * Creates the network unless it exists, and joins it. Joining may move the published ports of this container to the
   * network, which breaks the connections through those ports.
   */
  ensure(): Promise<void>;
  /** The network was removed meanwhile. */
  forget(): void;
}

export interface DockerNetworkOptions {
  readonly client: DockerClient;
  readonly name: string;
  readonly deploymentId: string;
  readonly project: ComposeProject;
  /** Id or name of the container this service runs in; undefined outside a container. */
  readonly ownContainer: string | undefined;
  /** Called before this service joins: from then on the servers can reach its ports. */
  readonly onShared: (network: SharedNetwork) => void;
  readonly log: Log;
}

export function createDockerNetwork({
  client,
  name,
  deploymentId,
  project,
  ownContainer,
  onShared,
  log,
}: DockerNetworkOptions): DockerNetwork {
  let ensuring: Promise<void> | undefined;

  async function create(): Promise<void> {
    if ((await find()) === undefined) await createNew();
    if (ownContainer === undefined) return;
    const network = await find();
    for (const { Subnet, Gateway } of network?.IPAM?.Config ?? []) {
      // An address may be followed by the length of its prefix.
      if (Subnet) onShared({ subnet: Subnet, gateway: Gateway?.replace(/\/.*/, '') });
    }
    await join(ownContainer);
  }

  /**
   * The library's `inspect` cannot be aborted, so the network is listed; the engine's filter matches parts of names.
   */
  async function find(): Promise<NetworkInspectInfo | undefined> {
    const found = await client.run((docker, abortSignal) =>
      docker.listNetworks(abortable({ filters: { name: [name] } }, abortSignal)),
    );
    return found.find(({ Name }) => Name === name);
  }

  async function createNew(): Promise<void> {
    const Labels = { ...ownerLabels({ deploymentId, project: await project() }) };
    try {
      await client.run((docker, abortSignal) =>
        docker.createNetwork({ Name: name, Driver: 'bridge', CheckDuplicate: true, Labels, abortSignal }),
      );
    } catch (error) {
      // Another process of this deployment created it first.
      if (!isRefusal(error, 409)) throw error;
    }
  }

  async function join(container: string): Promise<void> {
    try {
      await client.run((docker, abortSignal) =>
        docker.getNetwork(name).connect(abortable({ Container: container }, abortSignal)),
      );
    } catch (error) {
      if (/already exists in network/.test(engineMessage(error))) return;
      log.warn(
        { network: name, reason: engineMessage(error) },
        'This container cannot join the servers’ network.',
      );
    }
  }

  return {
    async ensure() {
      ensuring ??= create();
      const current = ensuring;
      await current.catch((error: unknown) => {
        if (ensuring === current) ensuring = undefined;
        throw error;
      });
    },
    forget() {
      ensuring = undefined;
    },
  };
}
