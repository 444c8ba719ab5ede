import { array, boolean, enums, object, optional, refine } from 'superstruct';
import { between, limited, maxArgumentBytes, nonEmptyText, text } from '../json/field-structs.ts';

/** An entrypoint needs a program. */
const Entrypoint = refine(
  limited(array(text(maxArgumentBytes))),
  'entrypoint',
  ([program]) => Boolean(program) || 'a list whose first element is the program',
);

const PullPolicy = enums(['always', 'missing', 'never']);

const ContainerPath = refine(
  text(maxArgumentBytes),
  'container path',
  (path) =>
    isContainerPath(path) ||
    'an absolute path inside the container, other than `/`, without `..`, `:` and references',
);

function isContainerPath(path: string): boolean {
  const segments = path.split('/').slice(1);
  const isPlain = segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..');
  return path.startsWith('/') && path !== '/' && isPlain && !/[:,\p{Cc}]|\$\{/u.test(path);
}

/** A path of the engine's host, or the name of one of its volumes (docs.docker.com/engine/storage/volumes). */
const VolumeSource = refine(
  text(maxArgumentBytes),
  'volume source',
  (source) =>
    source === '/' ||
    isContainerPath(source) ||
    /^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/.test(source) ||
    'an absolute path of the host without `..`, `:` and references, or the name of a volume',
);

const Volume = object({
  path: ContainerPath,
  source: optional(VolumeSource),
  read_only: optional(boolean()),
});

const Volumes = refine(
  limited(array(Volume)),
  'volumes',
  (volumes) =>
    new Set(volumes.map(({ path }) => path)).size === volumes.length || 'paths that differ from each other',
);

/** The capabilities that the engine gives a container by default (docs.docker.com/engine/security). */
export const grantableCapabilities = [
  ...[
    'AUDIT_WRITE',
    'CHOWN',
    'DAC_OVERRIDE',
    'FOWNER',
    'FSETID',
    'KILL',
    'MKNOD',
    'NET_BIND_SERVICE',
    'NET_RAW',
  ],
  ...['SETFCAP', 'SETGID', 'SETPCAP', 'SETUID', 'SYS_CHROOT'],
] as const;

const Capabilities = limited(array(enums(grantableCapabilities)));

/** Options of a container besides its image and command; shared with the body of a provision. */
export const containerFields = {
  network: optional(enums(['bridge', 'none'])),
  read_only: optional(boolean()),
  user: optional(nonEmptyText(256)),
  entrypoint: optional(Entrypoint),
  pull: optional(PullPolicy),
  volumes: optional(Volumes),
  shm_mb: optional(between(1, 1_048_576)),
  capabilities: optional(Capabilities),
};
