import { labelsOf, type Owner } from '../container-labels.ts';
import type { ContainerMount, ContainerSpec } from '../containers.ts';

/**
 * What the engine is asked to create: the hardened defaults, in one place. Each was tried with real servers
 * (docker.md section 5). Nothing is mounted but what the config names, no socket ever, nothing is privileged, and a port
 * is published on the loopback address alone.
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
    // Empty: the image's own, which the engine leaves out once an entrypoint is given.
    Cmd: spec.command.length > 0 ? [...spec.command] : undefined,
    Env: Object.entries(spec.env).map(([name, value]) => `${name}=${value}`),
    Labels: labelsOf(spec, options),
    User: spec.user,
    ExposedPorts: spec.port === undefined ? undefined : { [`${spec.port}/tcp`]: {} },
    // Stdin stays open when we let go, so that the server outlives this service; a terminal would echo.
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
    // The same: no swap on top.
    MemorySwap: memory,
    NanoCpus: Math.round(limits.cpus * 1e9),
    PidsLimit: limits.pids,
    ShmSize: shmMb === undefined ? undefined : shmMb * megabyte,
    Mounts: mounts.length > 0 ? mounts.map(mountOf) : undefined,
    ReadonlyRootfs: readOnly,
    // The engine refuses two mounts at one path.
    Tmpfs: readOnly && !mounts.some(({ path }) => path === '/tmp') ? temporary : undefined,
    // What a stdio server answers is its output, and the engine keeps that: little of it.
    LogConfig: { Type: 'local', Config: { 'max-size': '5m', 'max-file': '2' } },
    NetworkMode: network === 'none' ? 'none' : options.network,
    PortBindings:
      port !== undefined && network !== 'none' && options.isPublished
        ? { [`${port}/tcp`]: [{ HostIp: '127.0.0.1', HostPort: '' }] }
        : undefined,
    // A first start that fails must fail; `keepRunning` changes this once the server has answered.
    RestartPolicy: { Name: 'no' },
  };
}

/** A volume that is new is filled with what the image has at that path; a folder of the host must exist. */
function mountOf({ type, source, path, readOnly }: ContainerMount) {
  return { Type: type, Source: source, Target: path, ReadOnly: readOnly };
}
