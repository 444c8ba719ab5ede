import { array, coerce, define, enums, type Infer, object, optional, refine, string } from 'superstruct';
import {
  between,
  limited,
  matching,
  maxArgumentBytes,
  maxDescriptionBytes,
  maxValueBytes,
  nonEmptyText,
  text,
} from '../json/field-structs.ts';
import { about, described, mapOf, named } from '../json/json-schema.ts';
import { isServerName, longestServerName, serverNamePattern, serverNameRule } from '../names/names.ts';
import { containerFields } from './container-fields.ts';
import { imageReferenceKeywords, isImageReference } from './image-reference.ts';
import { replaceReferences, toReference } from './references.ts';
import { defaultFields, defaultLimits, defaultPath, defaultTimeouts } from './server-config.ts';

/**
 * The shape of `configs/<name>.json` and of the bodies that carry one (docs/api.md, Server configs): field names,
 * types and bounds. `parse-server-config.ts` decides which fields go with which transport; `server-config.ts` explains
 * the fields.
 * Refinement texts say what is expected and never repeat the received value.
 */

/** `__proto__` fits the grammar, but would set the prototype of the record. */
const variableName = matching(
  string(),
  'variable name',
  '^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]*$',
  'a variable name of letters, digits and `_`, not starting with a digit',
);

const headerName = matching(
  string(),
  'header name',
  "^(?!__proto__$)[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
  'the name of an HTTP header',
);

const headerValue = matching(
  text(maxValueBytes),
  'header value',
  '^[^\\u0000\\r\\n]*$',
  'text without line breaks',
);

const cpus = described(
  define<number>('processors', (value) => {
    const fits = typeof value === 'number' && value >= 0.01 && value <= 256;
    return fits || 'a number from 0.01 to 256';
  }),
  {
    ...{ type: 'number', minimum: 0.01, maximum: 256, default: defaultLimits.cpus },
    description: 'Processors of the container.',
  },
);

export const ServerName = described(
  refine(string(), 'server name', (name) => isServerName(name) || `a server name: ${serverNameRule}`),
  {
    ...{ minLength: 1, maxLength: longestServerName, pattern: serverNamePattern.source },
    description: `The name of the server: ${serverNameRule}.`,
  },
);

export const ImageReference = described(
  refine(
    string(),
    'image reference',
    (image) => isImageReference(image) || 'an image reference such as `name:tag`',
  ),
  { ...imageReferenceKeywords, description: 'The container image, with a tag or digest.' },
);

export const Description = described(text(maxDescriptionBytes, 'What people see'), {
  default: defaultFields.description,
});
export const Arguments = about(
  limited(array(text(maxArgumentBytes))),
  'Arguments of the program; of an image they replace its command.',
);
export const Variables = about(
  limited(mapOf(variableName, text(maxValueBytes))),
  `Environment variables of the program; values move to the secrets method, references such as \`${toReference('TOKEN')}\` stay.`,
);
export const Port = between(1, 65_535, { description: 'The port inside the container.' });
export const UrlPath = described(
  matching(text(maxArgumentBytes), 'path', '^/[^\\s?#\\u0000]*$', 'a path that starts with `/`'),
  {
    default: defaultPath,
    description: `The path of the MCP endpoint inside the container; at most ${maxArgumentBytes} bytes of UTF-8.`,
  },
);

const Url = described(
  refine(
    text(maxArgumentBytes, 'Address of a server that runs elsewhere, http or https without user info'),
    'url',
    (url) =>
      isPlainHttpUrl(url) ||
      'an http or https URL without user info (that goes into the header `Authorization`)',
  ),
  { pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\u0000]+$' },
);

/** References may stand anywhere in a URL; a digit in their place shows whether the rest is a URL. */
function isPlainHttpUrl(url: string): boolean {
  const probe = replaceReferences(url, () => '1');
  if (!/^https?:\/\//i.test(probe) || !URL.canParse(probe)) return false;
  const { username, password, hostname } = new URL(probe);
  return username === '' && password === '' && hostname !== '';
}

/** The default is what applies without the field. */
function optionalNumber(min: number, max: number, standard: number, description: string) {
  return optional(between(min, max, { default: standard, description }));
}

const Timeouts = about(
  object({
    start_ms: optionalNumber(
      ...([100, 600_000, defaultTimeouts.startMs] as const),
      'Milliseconds from the start of a connection to its list of tools.',
    ),
    call_ms: optional(
      between(100, 86_400_000, {
        description: `Milliseconds for one call, which each progress notification restarts; absent: \`CALL_TIMEOUT_MS\` of the service (${defaultTimeouts.callMs}).`,
      }),
    ),
    call_cap_ms: optional(
      between(100, 86_400_000, {
        description: `Milliseconds for one call, progress or not; not less than \`call_ms\`; absent: ${defaultTimeouts.callCapMs}, or \`CALL_TIMEOUT_MS\` where that is more.`,
      }),
    ),
    idle_stop_seconds: optionalNumber(
      ...([0, 604_800, defaultTimeouts.idleStopSeconds] as const),
      'Seconds without a call after which the server is stopped until the next one; 0: never.',
    ),
  }),
  'How long is waited for the server.',
);

const Limits = about(
  object({
    calls: optionalNumber(1, 1_024, defaultLimits.calls, 'Calls in flight on one connection.'),
    queue: optionalNumber(
      ...([0, 10_000, defaultLimits.queue] as const),
      'Calls that may wait for a free place; one more is refused.',
    ),
    line_bytes: optionalNumber(
      ...([1_024, 268_435_456, defaultLimits.lineBytes] as const),
      'Bytes of one line from a `stdio` server.',
    ),
    response_bytes: optionalNumber(
      ...([1_024, 268_435_456, defaultLimits.responseBytes] as const),
      'Bytes of one answer from an HTTP server.',
    ),
    sessions: optionalNumber(
      ...([1, 1_024, defaultLimits.sessions] as const),
      'Connections of a `stateful` server, one for each MCP session.',
    ),
    memory_mb: optionalNumber(
      ...([16, 1_048_576, defaultLimits.memoryMb] as const),
      'Memory of the container in megabytes, without swap.',
    ),
    cpus: optional(cpus),
    pids: optionalNumber(1, 32_768, defaultLimits.pids, 'Processes and threads of the container.'),
  }),
  'How much the server may use.',
);

/** Fields of servers of every transport; shared with the body of a provision. */
export const boundFields = {
  session_mode: optional(
    described(enums(['stateless', 'stateful']), {
      default: defaultFields.sessionMode,
      description: '`stateful`: a connection, or a container, for each agent’s session.',
    }),
  ),
  timeouts: optional(Timeouts),
  limits: optional(Limits),
};

const transports = ['stdio', 'streamable_http', 'sse'] as const;
/** The names for Streamable HTTP in other clients are accepted, too. */
const otherNames = ['http', 'streamable-http', 'streamableHttp'] as const;

const Transport = described(
  coerce(enums(transports), enums(otherNames), () => 'streamable_http'),
  {
    enum: [...transports, ...otherNames],
    description:
      'How MCP is spoken with the server; `http` and the like are other names of `streamable_http`. Absent: `streamable_http` with a `url`, `port` or `path`, else `stdio`.',
  },
);

/** For the structs that have further fields beside these. */
export const serverConfigFields = {
  name: ServerName,
  transport: optional(Transport),
  description: optional(Description),
  command: optional(nonEmptyText(maxArgumentBytes, 'The program to start on this host, without a shell')),
  args: optional(Arguments),
  env: optional(Variables),
  cwd: optional(
    nonEmptyText(
      maxArgumentBytes,
      'Folder that the program starts in; relative ones count from the service’s',
    ),
  ),
  image: optional(ImageReference),
  port: optional(Port),
  path: optional(UrlPath),
  url: optional(Url),
  headers: optional(
    about(
      limited(mapOf(headerName, headerValue)),
      `HTTP headers of every request to the server; values move to the secrets method, references such as \`${toReference('TOKEN')}\` stay.`,
    ),
  ),
  bearer_token: optional(
    about(
      headerValue,
      `Sent as a bearer token; moves to the secrets method; at most ${maxValueBytes} bytes of UTF-8.`,
    ),
  ),
  ...boundFields,
  ...containerFields,
};

export const ServerConfigDocument = named('ServerConfig', object(serverConfigFields));

export type ServerConfigDocument = Infer<typeof ServerConfigDocument>;
