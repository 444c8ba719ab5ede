import { labelsOf, type Owner } from '../container-labels.ts';
import type { ContainerMount, ContainerSpec } from '../containers.ts';

/**
 * The body of the engine's create request: the hardened defaults, in one place. Each was tried with real servers
 * (docs/containers.md, What a config can say). Only the mounts of the config are mounted, never a socket, nothing is
 * privileged, and a port is published on the loopback address alone.
 */
export interface CreateOptions extends Owner {
  /** The bridge network of this deployment. */
  readonly network: string;
  /** HTTP ports are reached through 127.0.0.1, because this service runs outside the engine's networks. */
  readonly isPublished: boolean;
}

const megabyte = 1024 * 1024;
const temporary = { '/tmp': 'rw,noexec,nosuid,size=64m' };

export function createBody(spec: ContainerSpec, options: CreateOptions) {
  return {
    Image: spec.image,
    Entrypoint: spec.entrypoint && [...spec.entrypoint],
    // Empty: the image's own, which the engine would otherwise drop when an entrypoint is given.
    Cmd: spec.command.length > 0 ? [...spec.command] : undefined,
    Env: Object.entries(spec.env).map(([name, value]) => `${name}=${value}`),
    Labels: labelsOf(spec, options),
    User: spec.user,
    ExposedPorts: spec.port === undefined ? undefined : { [`${spec.port}/tcp`]: {} },
    // Stdin stays open when we detach, so that the server outlives this service; a terminal would echo.
    OpenStdin: true,
    StdinOnce: false,
    Tty: false,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    HostConfig: hostConfig(spec, options),
  };
}

function hostConfig(spec: ContainerSpec, options: CreateOptions) {
  const { limits, network, readOnly, port, shmMb, capabilities, mounts } = spec;
  const memory = limits.memoryMb * megabyte;
  return {
    // Without an init, programs that do not expect to be process 1 ignore SIGTERM.
    Init: true,
    Privileged: false,
    SecurityOpt: ['no-new-privileges'],
    CapDrop: ['ALL'],
    CapAdd: capabilities.length > 0 ? [...capabilities] : undefined,
    Memory: memory,
    // The same value: no additional swap.
    MemorySwap: memory,
    NanoCpus: Math.round(limits.cpus * 1e9),
    PidsLimit: limits.pids,
    ShmSize: shmMb === undefined ? undefined : shmMb * megabyte,
    Mounts: mounts.length > 0 ? mounts.map(mountOf) : undefined,
    ReadonlyRootfs: readOnly,
    // The engine refuses two mounts at one path.
    Tmpfs: readOnly && !mounts.some(({ path }) => path === '/tmp') ? temporary : undefined,
    // The engine stores the output of a stdio server, which is its protocol: the log is kept small.
    LogConfig: { Type: 'local', Config: { 'max-size': '5m', 'max-file': '2' } },
    NetworkMode: network === 'none' ? 'none' : options.network,
    PortBindings:
      port !== undefined && network !== 'none' && options.isPublished
        ? { [`${port}/tcp`]: [{ HostIp: '127.0.0.1', HostPort: '' }] }
        : undefined,
    // A failed first start must not be repeated; `keepRunning` changes the policy once the server has answered.
    RestartPolicy: { Name: 'no' },
  };
}

/** The engine fills a new volume with the image's content at that path; a folder of the host must exist. */
function mountOf({ type, source, path, readOnly }: ContainerMount) {
  return { Type: type, Source: source, Target: path, ReadOnly: readOnly };
}
