import {
  array,
  boolean,
  define,
  enums,
  type Infer,
  object,
  optional,
  record,
  refine,
  type Struct,
  string,
} from 'superstruct';
import { replaceReferences } from '../secrets/references.ts';
import { isImageReference } from './image-reference.ts';
import { isServerName } from './names.ts';

/**
 * The shape of `configs/<name>.json` and of the bodies that carry one (contract section 4): field names, types
 * and bounds. What goes with which transport is decided in `parse-server-config.ts`; what the words mean, in
 * `server-config.ts`. Refinement texts say what is expected and never repeat what was received.
 */

const maxList = 256;
const maxArgumentBytes = 8 * 1024;
const maxValueBytes = 32 * 1024;
const maxDescriptionBytes = 8 * 1024;

const utf8 = new TextEncoder();

/** Text that can be an argument, a variable or a header: within bounds and without U+0000. */
function text(maxBytes: number): Struct<string, null> {
  return refine(string(), 'text', (value) => {
    if (value.includes('\0')) return 'text without U+0000';
    // A UTF-16 unit is at most three bytes of UTF-8, so short text needs no counting.
    const fits = value.length * 3 <= maxBytes || utf8.encode(value).length <= maxBytes;
    return fits || `text of at most ${maxBytes} bytes`;
  });
}

function nonEmptyText(maxBytes: number): Struct<string, null> {
  return refine(text(maxBytes), 'not empty', (value) => value !== '' || 'text that is not empty');
}

/** `__proto__` fits the grammar, but never names a variable on purpose. */
const variableName = refine(
  string(),
  'variable name',
  (name) =>
    (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && name !== '__proto__') ||
    'a variable name of letters, digits and `_`, not starting with a digit',
);

const headerName = refine(
  string(),
  'header name',
  (name) =>
    (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && name !== '__proto__') || 'the name of an HTTP header',
);

const headerValue = refine(
  text(maxValueBytes),
  'header value',
  (value) => !/[\r\n]/.test(value) || 'text without line breaks',
);

/** Objects by their fields, arrays by their elements. */
function limited<Type extends object, Schema>(struct: Struct<Type, Schema>): Struct<Type, Schema> {
  return refine(
    struct,
    'size',
    (entries) => Object.keys(entries).length <= maxList || `at most ${maxList} entries`,
  );
}

function between(min: number, max: number): Struct<number, null> {
  return define<number>('whole number', (value) => {
    const fits = Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
    return fits || `a whole number from ${min} to ${max}`;
  });
}

const cpus = define<number>('processors', (value) => {
  const fits = typeof value === 'number' && value >= 0.01 && value <= 256;
  return fits || 'a number from 0.01 to 256';
});

export const ServerName = refine(
  string(),
  'server name',
  (name) =>
    isServerName(name) ||
    'a server name: letters and digits, with single `.`, `_` or `-` between them, at most 30 characters',
);

export const ImageReference = refine(
  string(),
  'image reference',
  (image) => isImageReference(image) || 'an image reference such as `name:tag`',
);

export const Description = text(maxDescriptionBytes);
export const Arguments = limited(array(text(maxArgumentBytes)));
export const Variables = limited(record(variableName, text(maxValueBytes)));
export const Port = between(1, 65_535);
export const UrlPath = refine(
  text(maxArgumentBytes),
  'path',
  (path) => /^\/[^\s?#]*$/.test(path) || 'a path that starts with `/`',
);

const Url = refine(
  text(maxArgumentBytes),
  'url',
  (url) =>
    isPlainHttpUrl(url) ||
    'an http or https URL without user info (that goes into the header `Authorization`)',
);

/** References may stand anywhere in a URL; a letter in their place shows whether the rest is one. */
function isPlainHttpUrl(url: string): boolean {
  const probe = replaceReferences(url, () => '1');
  if (!/^https?:\/\//i.test(probe) || !URL.canParse(probe)) return false;
  const { username, password, hostname } = new URL(probe);
  return username === '' && password === '' && hostname !== '';
}

export const Timeouts = object({
  start_ms: optional(between(100, 600_000)),
  call_ms: optional(between(100, 86_400_000)),
  call_cap_ms: optional(between(100, 86_400_000)),
  idle_stop_seconds: optional(between(0, 604_800)),
});

export const Limits = object({
  calls: optional(between(1, 1_024)),
  queue: optional(between(0, 10_000)),
  line_bytes: optional(between(1_024, 268_435_456)),
  response_bytes: optional(between(1_024, 268_435_456)),
  sessions: optional(between(1, 1_024)),
  memory_mb: optional(between(16, 1_048_576)),
  cpus: optional(cpus),
  pids: optional(between(1, 32_768)),
});

/** An entrypoint without a program would be none. */
export const Entrypoint = refine(
  limited(array(text(maxArgumentBytes))),
  'entrypoint',
  ([program]) => Boolean(program) || 'a list whose first element is the program',
);

export const PullPolicy = enums(['always', 'missing', 'never']);

const ContainerPath = refine(
  text(maxArgumentBytes),
  'container path',
  (path) =>
    isContainerPath(path) || 'an absolute path inside the container, other than `/`, without `..` and `:`',
);

function isContainerPath(path: string): boolean {
  const segments = path.split('/').slice(1);
  const isPlain = segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..');
  return path.startsWith('/') && path !== '/' && isPlain && !/[:,]/.test(path);
}

/** A path of the engine's host, or the name of one of its volumes (docs.docker.com/engine/storage/volumes). */
const VolumeSource = refine(
  text(maxArgumentBytes),
  'volume source',
  (source) =>
    source === '/' ||
    isContainerPath(source) ||
    /^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/.test(source) ||
    'an absolute path of the host without `..` and `:`, or the name of a volume',
);

const Volume = object({
  path: ContainerPath,
  source: optional(VolumeSource),
  read_only: optional(boolean()),
});

export const Volumes = refine(
  limited(array(Volume)),
  'volumes',
  (volumes) =>
    new Set(volumes.map(({ path }) => path)).size === volumes.length || 'paths that differ from each other',
);

/** Those that the engine gives a container by default, and no others (docs.docker.com/engine/security). */
const grantable = [
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

export const Capabilities = limited(array(enums(grantable)));

export const ServerConfigDocument = object({
  name: ServerName,
  transport: enums(['stdio', 'streamable_http', 'sse']),
  description: optional(Description),
  command: optional(nonEmptyText(maxArgumentBytes)),
  args: optional(Arguments),
  env: optional(Variables),
  cwd: optional(nonEmptyText(maxArgumentBytes)),
  image: optional(ImageReference),
  port: optional(Port),
  path: optional(UrlPath),
  url: optional(Url),
  headers: optional(limited(record(headerName, headerValue))),
  bearer_token: optional(headerValue),
  session_mode: optional(enums(['stateless', 'stateful'])),
  timeouts: optional(Timeouts),
  limits: optional(Limits),
  network: optional(enums(['bridge', 'none'])),
  read_only: optional(boolean()),
  user: optional(nonEmptyText(256)),
  entrypoint: optional(Entrypoint),
  pull: optional(PullPolicy),
  volumes: optional(Volumes),
  shm_mb: optional(between(1, 1_048_576)),
  capabilities: optional(Capabilities),
});

export type ServerConfigDocument = Infer<typeof ServerConfigDocument>;
