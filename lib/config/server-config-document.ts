import {
  array,
  coerce,
  define,
  enums,
  type Infer,
  object,
  optional,
  record,
  refine,
  string,
} from 'superstruct';
import {
  between,
  limited,
  maxArgumentBytes,
  maxDescriptionBytes,
  maxValueBytes,
  nonEmptyText,
  text,
} from '../json/field-structs.ts';
import { isServerName, serverNameRule } from '../names/names.ts';
import { containerFields } from './container-fields.ts';
import { isImageReference } from './image-reference.ts';
import { replaceReferences } from './references.ts';

/**
 * The shape of `configs/<name>.json` and of the bodies that carry one (contract section 4): field names, types and
 * bounds. `parse-server-config.ts` decides which fields go with which transport; `server-config.ts` explains the fields.
 * Refinement texts say what is expected and never repeat the received value.
 */

/** `__proto__` fits the grammar, but would set the prototype of the record. */
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

const cpus = define<number>('processors', (value) => {
  const fits = typeof value === 'number' && value >= 0.01 && value <= 256;
  return fits || 'a number from 0.01 to 256';
});

export const ServerName = refine(
  string(),
  'server name',
  (name) => isServerName(name) || `a server name: ${serverNameRule}`,
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

/** References may stand anywhere in a URL; a digit in their place shows whether the rest is a URL. */
function isPlainHttpUrl(url: string): boolean {
  const probe = replaceReferences(url, () => '1');
  if (!/^https?:\/\//i.test(probe) || !URL.canParse(probe)) return false;
  const { username, password, hostname } = new URL(probe);
  return username === '' && password === '' && hostname !== '';
}

const Timeouts = object({
  start_ms: optional(between(100, 600_000)),
  call_ms: optional(between(100, 86_400_000)),
  call_cap_ms: optional(between(100, 86_400_000)),
  idle_stop_seconds: optional(between(0, 604_800)),
});

const Limits = object({
  calls: optional(between(1, 1_024)),
  queue: optional(between(0, 10_000)),
  line_bytes: optional(between(1_024, 268_435_456)),
  response_bytes: optional(between(1_024, 268_435_456)),
  sessions: optional(between(1, 1_024)),
  memory_mb: optional(between(16, 1_048_576)),
  cpus: optional(cpus),
  pids: optional(between(1, 32_768)),
});

/** Fields of servers of every transport; shared with the body of a provision. */
export const boundFields = {
  session_mode: optional(enums(['stateless', 'stateful'])),
  timeouts: optional(Timeouts),
  limits: optional(Limits),
};

/** The names for Streamable HTTP in other clients are accepted, too. */
const Transport = coerce(
  enums(['stdio', 'streamable_http', 'sse']),
  enums(['http', 'streamable-http', 'streamableHttp']),
  () => 'streamable_http',
);

export const ServerConfigDocument = object({
  name: ServerName,
  transport: optional(Transport),
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
  ...boundFields,
  ...containerFields,
});

export type ServerConfigDocument = Infer<typeof ServerConfigDocument>;
