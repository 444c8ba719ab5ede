import { grantableCapabilities } from '../../config/container-fields.ts';
import { type DockerMount, mountOption, volumeOption } from './docker-mounts.ts';
import type { DockerOption } from './docker-options.ts';

/** The registration config of a `docker run`, filled option by option. */
export interface DockerDraft {
  /** The environment of the `docker` process: the source of the value of `-e NAME`. */
  readonly environment: Readonly<Record<string, unknown>>;
  /** The environment of the registration config. */
  readonly fields: Record<string, unknown>;
  readonly limits: Record<string, number>;
  readonly env: Record<string, unknown>;
  readonly volumes: Readonly<Record<string, unknown>>[];
  readonly capabilities: string[];
  /** Published ports, as numbered inside the container. */
  readonly ports: number[];
  readonly warnings: string[];
  /** Options that have no place in a config. */
  readonly left: string[];
  name?: string;
  isInteractive: boolean;
}

export function createDockerDraft(environment: Readonly<Record<string, unknown>>): DockerDraft {
  const lists = { volumes: [], capabilities: [], ports: [], warnings: [], left: [] };
  return { environment, fields: {}, limits: {}, env: {}, ...lists, isInteractive: false };
}

export function applyOption(draft: DockerDraft, { name, value }: DockerOption): void {
  const apply = appliers[name];
  const isApplied = apply === undefined ? quiet.has(name) || value === 'false' : apply(draft, value);
  if (!isApplied) draft.left.push(`--${name}`);
}

/** Options that the gateway applies in any case, or that only matter at a terminal. */
const quiet = new Set([
  ...['attach', 'cap-drop', 'cidfile', 'detach', 'detach-keys', 'expose', 'init', 'label', 'label-file'],
  ...['quiet', 'replace', 'restart', 'rm', 'sig-proxy', 'tty'],
]);

/** False: the option has no place in a config. */
type ApplyOption = (draft: DockerDraft, value: string) => boolean;

const appliers: Readonly<Record<string, ApplyOption>> = {
  name(draft, value) {
    draft.name = value;
    return true;
  },
  interactive(draft, value) {
    draft.isInteractive = isTrue(value);
    return true;
  },
  env: applyVariable,
  volume: ({ volumes, warnings }, value) => applyMount(volumes, warnings, volumeOption(value)),
  mount: ({ volumes, warnings }, value) => applyMount(volumes, warnings, mountOption(value)),
  entrypoint: ({ fields }, value) => value !== '' && put(fields, 'entrypoint', [value]),
  user: ({ fields }, value) => put(fields, 'user', value),
  'read-only': ({ fields }, value) => !isTrue(value) || put(fields, 'read_only', true),
  network({ fields }, value) {
    if (value === 'none') return put(fields, 'network', value);
    return ['bridge', 'default'].includes(value);
  },
  pull: ({ fields }, value) => ['always', 'missing', 'never'].includes(value) && put(fields, 'pull', value),
  'shm-size': ({ fields }, value) => putNumber(fields, 'shm_mb', megabytes(value)),
  memory: ({ limits }, value) => putNumber(limits, 'memory_mb', megabytes(value)),
  cpus: ({ limits }, value) => putNumber(limits, 'cpus', Number(value)),
  'pids-limit': ({ limits }, value) => putNumber(limits, 'pids', Number(value)),
  'cap-add'({ capabilities }, value) {
    const capability = value.toUpperCase().replace(/^CAP_/, '');
    if (!grantableCapabilities.some((one) => one === capability)) return false;
    if (!capabilities.includes(capability)) capabilities.push(capability);
    return true;
  },
  publish({ ports }, value) {
    const port = /(?:^|:)(\d+)(?:\/tcp)?$/.exec(value)?.[1];
    if (port === undefined) return false;
    ports.push(Number(port));
    return true;
  },
};

/** @param given `NAME=value`, or `NAME` alone for the value in docker's own environment. */
function applyVariable({ env, environment, warnings }: DockerDraft, given: string): boolean {
  const [, name = '', assigned] = /^([^=]*)(=[\s\S]*)?$/.exec(given) ?? [];
  if (name === '') return false;
  const inherited = environment[name];
  env[name] = assigned === undefined ? (inherited ?? `\${${name}}`) : assigned.slice(1);
  if (assigned === undefined && inherited === undefined) {
    warnings.push(`expects a value for \`${name}\` from the secrets method, or in \`env\`.`);
  }
  return true;
}

function applyMount(
  volumes: DockerDraft['volumes'],
  warnings: DockerDraft['warnings'],
  mount: DockerMount,
): boolean {
  if (mount.volume) volumes.push(mount.volume);
  warnings.push(...mount.warnings);
  return true;
}

function isTrue(value: string): boolean {
  return /^(?:1|t|true)$/i.test(value);
}

function put(fields: Record<string, unknown>, name: string, value: unknown): true {
  fields[name] = value;
  return true;
}

function putNumber(fields: Record<string, unknown>, name: string, value: number): boolean {
  return value > 0 && Number.isFinite(value) && put(fields, name, value);
}

/** Docker's own units: bytes, or with `b`, `k`, `m`, `g`. NaN when it is none of these. */
function megabytes(size: string): number {
  const [, number, unit = 'b'] = /^(\d+(?:\.\d+)?)\s*([bkmg])?(?:i?b)?$/i.exec(size.trim()) ?? [];
  const power = ['b', 'k', 'm', 'g'].indexOf(unit.toLowerCase());
  return Math.ceil((Number(number) * 1024 ** power) / 1024 ** 2);
}
