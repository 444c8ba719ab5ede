import { Failure } from '../failure.ts';
import { check } from '../json/check.ts';
import {
  defaultFields,
  defaultLimits,
  defaultTimeouts,
  type ServerConfig,
  type ServerLimits,
  type ServerTimeouts,
  type ServerVolume,
} from './server-config.ts';
import { ServerConfigDocument } from './server-config-document.ts';

/**
 * Converts between the file's snake_case form and `ServerConfig`. Decides which fields each transport needs; a field
 * without effect is refused, because its author expected one.
 */

/**
 * @param callTimeoutMs Of configs that set none: the service's `CALL_TIMEOUT_MS`.
 * @throws Failure `invalid_params` whose sentence names the field, never the value.
 */
export function parseServerConfig(document: unknown, callTimeoutMs = defaultTimeouts.callMs): ServerConfig {
  const given = withTransport(check(document, ServerConfigDocument));
  assertFitsTransport(given);
  const givenTimeouts = fromDocument(given.timeouts, timeoutFields);
  const timeouts = {
    ...defaultTimeouts,
    callMs: callTimeoutMs,
    callCapMs: Math.max(defaultTimeouts.callCapMs, callTimeoutMs),
    ...givenTimeouts,
  };
  if ((givenTimeouts.callMs ?? 0) > timeouts.callCapMs) {
    throw refused('Field `timeouts.call_ms`: expected no more than `timeouts.call_cap_ms`.');
  }
  return {
    name: given.name,
    transport: given.transport,
    description: given.description ?? defaultFields.description,
    command: given.command,
    args: given.args ?? [],
    env: given.env ?? {},
    cwd: given.cwd,
    image: given.image,
    entrypoint: given.entrypoint,
    pull: given.pull ?? defaultFields.pull,
    port: given.port,
    path: given.path,
    url: given.url,
    headers: given.headers ?? {},
    bearerToken: given.bearer_token,
    sessionMode: given.session_mode ?? defaultFields.sessionMode,
    timeouts,
    givenTimeouts,
    limits: { ...defaultLimits, ...fromDocument(given.limits, limitFields) },
    network: given.network ?? defaultFields.network,
    readOnly: given.read_only ?? defaultFields.readOnly,
    user: given.user,
    volumes: (given.volumes ?? []).map(({ path, source, read_only: readOnly = defaultFields.readOnly }) => ({
      path,
      source,
      readOnly,
    })),
    shmMb: given.shm_mb,
    capabilities: given.capabilities ?? [],
  };
}

/** The file's form: fields in one order, those that equal their default left out. */
export function toDocument(config: ServerConfig): ServerConfigDocument {
  return dropUndefined({
    name: config.name,
    transport: config.transport,
    description: config.description || undefined,
    command: config.command,
    args: unlessNone(config.args),
    env: unlessEmpty(config.env),
    cwd: config.cwd,
    image: config.image,
    port: config.port,
    path: config.path,
    url: config.url,
    headers: unlessEmpty(config.headers),
    bearer_token: config.bearerToken,
    session_mode: config.sessionMode === defaultFields.sessionMode ? undefined : config.sessionMode,
    timeouts: changedFields(config.givenTimeouts, timeoutFields, fixedTimeouts),
    limits: changedFields(config.limits, limitFields, defaultLimits),
    network: config.network === defaultFields.network ? undefined : config.network,
    read_only: config.readOnly || undefined,
    user: config.user,
    entrypoint: config.entrypoint && [...config.entrypoint],
    pull: config.pull === defaultFields.pull ? undefined : config.pull,
    volumes: unlessNone(config.volumes.map(toVolumeDocument)),
    shm_mb: config.shmMb,
    capabilities: unlessNone(config.capabilities) as ServerConfigDocument['capabilities'],
  });
}

function toVolumeDocument({ path, source, readOnly }: ServerVolume) {
  return dropUndefined({ path, source, read_only: readOnly || undefined });
}

/** Equal exactly when two configs mean the same, however their files are written. */
export function canonicalText(config: ServerConfig): string {
  const document = toDocument(config);
  return JSON.stringify({ ...document, env: sorted(document.env), headers: sorted(document.headers) });
}

/** Defaults that are left out of the file. The others depend on the service: a config that names one keeps it. */
const fixedTimeouts: Partial<ServerTimeouts> = {
  startMs: defaultTimeouts.startMs,
  idleStopSeconds: defaultTimeouts.idleStopSeconds,
};

const timeoutFields = {
  startMs: 'start_ms',
  callMs: 'call_ms',
  callCapMs: 'call_cap_ms',
  idleStopSeconds: 'idle_stop_seconds',
} as const satisfies Record<keyof ServerTimeouts, string>;

const limitFields = {
  calls: 'calls',
  queue: 'queue',
  lineBytes: 'line_bytes',
  responseBytes: 'response_bytes',
  sessions: 'sessions',
  memoryMb: 'memory_mb',
  cpus: 'cpus',
  pids: 'pids',
} as const satisfies Record<keyof ServerLimits, string>;

const ofProgram = ['command', 'args', 'cwd'] as const;
const ofAddress = ['url', 'headers', 'bearer_token'] as const;
const ofContainer = [
  'network',
  'read_only',
  'user',
  'entrypoint',
  'pull',
  'volumes',
  'shm_mb',
  'capabilities',
] as const;

type Given = ServerConfigDocument & Pick<ServerConfig, 'transport'>;

/** An absent transport follows from the other fields, as in the files of other clients. */
function withTransport(given: ServerConfigDocument): Given {
  const { transport, url, command, image, port, path } = given;
  if (transport !== undefined) return { ...given, transport };
  if ((url ?? command ?? image) === undefined) {
    throw refused(
      'Neither `command`, `url` nor `image` is there: expected the program to start, the address of the server, or its image.',
    );
  }
  return { ...given, transport: (url ?? port ?? path) === undefined ? 'stdio' : 'streamable_http' };
}

function assertFitsTransport(given: Given): void {
  const { transport, image, command, url, port } = given;
  if (transport === 'stdio') {
    refuseFields(given, [...ofAddress, 'port', 'path'], 'transport `stdio`');
    if (command === undefined && image === undefined) {
      throw refused('Field `command`: expected the program to start, or an `image`.');
    }
  } else if (image === undefined || transport === 'sse') {
    refuseFields(
      given,
      [...ofProgram, 'env', 'image', 'port', 'path'],
      `transport \`${transport}\` with a \`url\``,
    );
    if (url === undefined) throw refused('Field `url`: expected the address of the server.');
  } else {
    refuseFields(given, ['url'], 'an `image`');
    if (port === undefined) throw refused('Field `port`: expected the port that the image listens on.');
  }
  if (image === undefined) refuseFields(given, ofContainer, 'a server without an `image`');
  else refuseFields(given, ['cwd'], 'an `image`');
}

function refuseFields(
  given: ServerConfigDocument,
  fields: readonly (keyof ServerConfigDocument)[],
  where: string,
): void {
  const useless = fields.find((field) => given[field] !== undefined);
  if (useless !== undefined) throw refused(`Field \`${useless}\` has no use with ${where}.`);
}

function refused(sentence: string): Failure {
  return new Failure('invalid_params', sentence);
}

type Numbers<Keys extends string> = Readonly<Partial<Record<Keys, number>>>;

function fromDocument<Keys extends string>(
  given: Readonly<Record<string, number | undefined>> | undefined,
  fields: Readonly<Record<Keys, string>>,
): Numbers<Keys> {
  const numbers: Partial<Record<Keys, number>> = {};
  for (const key of keysOf(fields)) {
    const number = given?.[fields[key]];
    if (number !== undefined) numbers[key] = number;
  }
  return numbers;
}

function changedFields<Keys extends string>(
  numbers: Numbers<Keys>,
  fields: Readonly<Record<Keys, string>>,
  defaults: Numbers<Keys>,
): Record<string, number> | undefined {
  const changed: Record<string, number> = {};
  for (const key of keysOf(fields)) {
    const number = numbers[key];
    if (number !== undefined && number !== defaults[key]) changed[fields[key]] = number;
  }
  return unlessEmpty(changed);
}

function keysOf<Keys extends string>(fields: Readonly<Record<Keys, unknown>>): Keys[] {
  return Object.keys(fields) as Keys[];
}

function unlessEmpty<Value>(entries: Readonly<Record<string, Value>>): Record<string, Value> | undefined {
  return Object.keys(entries).length > 0 ? { ...entries } : undefined;
}

function unlessNone<Value>(values: readonly Value[]): Value[] | undefined {
  return values.length > 0 ? [...values] : undefined;
}

function sorted(entries: Record<string, string> | undefined): [string, string][] {
  return Object.entries(entries ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
}

function dropUndefined<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
