import type { ContainerInfo, ContainerInspectInfo, ImageInspectInfo } from 'dockerode';
import { factsOfLabels } from '../container-labels.ts';
import type { ContainerFacts, ContainerMount, EngineStatus, ImageFacts } from '../containers.ts';

/** Reduces the engine's answers to the facts that we use. */

/** Exit codes of a process that ended by itself, and after SIGTERM. */
const regularExits = [0, 143];

/**
 * @param network The network on which a container's address is looked up when its port is not published on this host.
 */
export function factsOfInspect(info: ContainerInspectInfo, network: string): ContainerFacts {
  const { State: state, Config: config } = info;
  const labels = factsOfLabels(config.Labels ?? {}, config.Image);
  const hasEnded = ['exited', 'dead', 'restarting'].includes(state.Status);
  return {
    ...labels,
    id: info.Id,
    name: withoutSlash(info.Name),
    image: config.Image,
    imageId: info.Image,
    status: state.Status as EngineStatus,
    exitCode: hasEnded ? state.ExitCode : undefined,
    // The killed process may have been a child, long ago.
    outOfMemory: hasEnded && state.OOMKilled && !regularExits.includes(state.ExitCode),
    startedAt: startTime(state.StartedAt),
    mounts: mountsOf(info.Mounts),
    exposedPorts: portsOf(config.ExposedPorts),
    address: labels.port === undefined ? undefined : addressOf(info, labels.port, network),
  };
}

/** Lists lack exit code, start and address. */
export function factsOfListed(info: ContainerInfo): ContainerFacts {
  return {
    ...factsOfLabels(info.Labels, info.Image),
    id: info.Id,
    name: withoutSlash(info.Names[0] ?? ''),
    image: info.Image,
    imageId: info.ImageID,
    status: info.State as EngineStatus,
    exitCode: undefined,
    startedAt: undefined,
    mounts: mountsOf(info.Mounts),
    address: undefined,
  };
}

export function factsOfImage({ Id: id, Config: config, RepoDigests: digests }: ImageInspectInfo): ImageFacts {
  const ports = portsOf(config?.ExposedPorts);
  const volumes = Object.keys((config?.Volumes as object | undefined) ?? {});
  return { id, ports, volumes: volumes.sort(), digests: [...new Set(digests ?? [])] };
}

/** TCP ports only. @param exposed By `port` or `port/protocol`. */
function portsOf(exposed: object | null | undefined): number[] {
  const ports = Object.keys(exposed ?? {}).filter((port) => /^\d+(\/tcp)?$/.test(port));
  return ports.map((port) => Number.parseInt(port, 10)).sort((a, b) => a - b);
}

/** As the engine reports them; for a volume the name counts, not the place of its files. */
interface Mounted {
  readonly Type?: string;
  readonly Name?: string | undefined;
  readonly Source: string;
  readonly Destination: string;
  readonly RW: boolean;
}

function mountsOf(mounts: readonly Mounted[] | undefined): ContainerMount[] {
  return (mounts ?? []).flatMap(({ Type: type, Name: name, Source: folder, Destination: path, RW }) => {
    if (type !== 'volume' && type !== 'bind') return [];
    return [{ type, source: type === 'volume' ? (name ?? '') : folder, path, readOnly: !RW }];
  });
}

/** A published port changes with each start; an address on the network may change. */
function addressOf(info: ContainerInspectInfo, port: number, network: string): string | undefined {
  const { Ports: published, Networks: networks } = info.NetworkSettings;
  const binding = published?.[`${port}/tcp`]?.[0];
  if (binding) return `${binding.HostIp}:${binding.HostPort}`;
  const address = networks?.[network]?.IPAddress;
  return address ? `${address}:${port}` : undefined;
}

function startTime(text: string): Date | undefined {
  const time = Date.parse(text);
  // The engine's zero time, year 1: the container was never started.
  return time > 0 ? new Date(time) : undefined;
}

function withoutSlash(name: string): string {
  return name.replace(/^\//, '');
}
