import { array, boolean, enums, object, optional, refine } from 'superstruct';
import { between, limited, matching, maxArgumentBytes, nonEmptyText, text } from '../json/field-structs.ts';
import { about, described } from '../json/json-schema.ts';
import { defaultFields } from './server-config.ts';

/** An entrypoint needs a program. */
const Entrypoint = described(
  refine(
    limited(array(text(maxArgumentBytes))),
    'entrypoint',
    ([program]) => Boolean(program) || 'a list whose first element is the program',
  ),
  {
    minItems: 1,
    // Not beside `items`, which would then only speak of the others.
    allOf: [{ prefixItems: [{ minLength: 1 }] }],
    description:
      'The program and its first arguments, instead of the image’s entrypoint and command; absent: the image’s.',
  },
);

const PullPolicy = described(enums(['always', 'missing', 'never']), {
  default: defaultFields.pull,
  description:
    'When the registry is asked for the image; `always` takes the local one with a warning where that fails.',
});

const control = '\\u0000-\\u001f\\u007f-\\u009f';
/** Neither empty segments nor `.` and `..`; no `${`. */
const plainPath = `(?![\\s\\S]*\\$\\{)(?:/(?!\\.{1,2}(?:/|$))[^/:,${control}]+)+`;

const ContainerPath = matching(
  text(maxArgumentBytes),
  'container path',
  `^${plainPath}$`,
  'an absolute path inside the container, other than `/`, without `..`, `:` and references',
);

/** A path of the engine's host, or the name of one of its volumes (docs.docker.com/engine/storage/volumes). */
const VolumeSource = matching(
  text(maxArgumentBytes),
  'volume source',
  `^(?:/|${plainPath}|[a-zA-Z0-9][a-zA-Z0-9_.-]+)$`,
  'an absolute path of the host without `..`, `:` and references, or the name of a volume',
);

const Volume = object({
  path: about(
    ContainerPath,
    `Absolute path inside the container; at most ${maxArgumentBytes} bytes of UTF-8.`,
  ),
  source: optional(
    about(
      VolumeSource,
      'A path of the engine’s host, or the name of a volume of the engine, which needs administration rights; absent: a volume of the server’s own.',
    ),
  ),
  read_only: optional(
    described(boolean(), {
      default: defaultFields.readOnly,
      description: 'Whether the server may only read it.',
    }),
  ),
});

const Volumes = described(
  refine(
    limited(array(Volume)),
    'volumes',
    (volumes) =>
      new Set(volumes.map(({ path }) => path)).size === volumes.length || 'paths that differ from each other',
  ),
  {
    uniqueItems: true,
    description:
      'Folders that outlive the container, besides those that the image declares; their paths differ from each other.',
  },
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

const Capabilities = about(
  limited(array(enums(grantableCapabilities))),
  'Linux capabilities that the container keeps, which needs administration rights; absent: none.',
);

/** Options of a container besides its image and command; shared with the body of a provision. */
export const containerFields = {
  network: optional(
    described(enums(['bridge', 'none']), {
      default: defaultFields.network,
      description: '`none`: no network at all, for `stdio` only.',
    }),
  ),
  read_only: optional(
    described(boolean(), {
      default: defaultFields.readOnly,
      description: 'Nothing but volumes, and 64 MB in `/tmp`, can be written.',
    }),
  ),
  user: optional(
    nonEmptyText(256, 'Name or id, with a group after `:`, that the program runs as; absent: the image’s'),
  ),
  entrypoint: optional(Entrypoint),
  pull: optional(PullPolicy),
  volumes: optional(Volumes),
  shm_mb: optional(
    between(1, 1_048_576, { description: 'Size of `/dev/shm` in megabytes; absent: the engine’s.' }),
  ),
  capabilities: optional(Capabilities),
};
