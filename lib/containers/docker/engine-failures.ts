import { registryOf } from '../../config/image-reference.ts';
import { Failure } from '../../failure.ts';
import type { FoundCredentials } from '../credentials/registry-credentials.ts';

/**
 * Translates the engine's errors. Newer and older engines map the same fault to different statuses, and a pull that
 * fails late reports the fault only in its stream, so both status and text count (docs/decisions/0009). The engine's
 * texts go to the log as `cause`; they may hold addresses and are not for callers.
 */
export type EngineStep = 'engine' | 'pull' | 'start';

/** The engine cannot be reached, or does not answer in time. @param cause The error of the connection attempt. */
export function engineUnavailable(cause?: unknown): Failure {
  return engineFailed(503, 'engine', engineProblem(cause), cause);
}

export function isEngineUnavailable(error: unknown): error is Failure {
  return error instanceof Failure && error.code === 'provision_failed' && error.status === 503;
}

export function engineFailed(status: number, step: EngineStep, sentence: string, cause?: unknown): Failure {
  return new Failure('provision_failed', sentence, { status, details: { step }, cause });
}

/**
 * A folder of the host that does not exist: the engine is asked not to create it. Undefined for any other fault.
 * @param text The engine's message.
 */
export function mountSourceMissing(text: string): Failure | undefined {
  const missing = /bind source path does not exist: (\/.*)/.exec(text)?.[1];
  if (missing === undefined) return undefined;
  return engineFailed(
    422,
    'start',
    `The folder \`${missing.slice(0, 300)}\` of \`volumes\` is not there on the engine’s host; make it first, or name another.`,
    text,
  );
}

/** The registry reports that there is no such image or tag. */
export function imageUnknown(image: string, cause?: unknown): Failure {
  return engineFailed(422, 'pull', `The image \`${image}\` was not found in its registry.`, cause);
}

const refusal =
  /denied|unauthorized|no basic auth|authentication required|forbidden|insufficient_scope|authorization failed|incorrect username/i;
const wrongCredentials = /unauthorized|incorrect username|authentication required|no basic auth/i;
const limit = /toomanyrequests|too many requests|rate limit/i;
const plainHttp = /server gave HTTP/i;
const certificate = /x509|certificate/i;
const unreachable =
  /no such host|connection refused|i\/o timeout|timeout exceeded|deadline exceeded|no route to host|network is unreachable|connection reset|server misbehaving|TLS handshake|\bEOF\b/i;
const unknown = /manifest unknown|not found|name unknown|no such image|does not exist/i;
const malformed = /invalid reference format|invalid repository|invalid tag/i;

export interface PullAttempt {
  readonly image: string;
  /** The manifest was found, so that a missing part of the image is the registry's fault. */
  readonly isUnderWay: boolean;
  readonly credentials: FoundCredentials;
}

/** @param text The engine's message, without secrets. */
export function pullFailure(attempt: PullAttempt, text: string): Failure {
  const { image, isUnderWay } = attempt;
  const refused = (why: string, hint = '') =>
    engineFailed(502, 'pull', `The image \`${image}\` cannot be pulled: ${why}.${hint}`, text);
  if (limit.test(text)) return refused('its registry limits how often it may be asked');
  if (plainHttp.test(text)) {
    return refused('its registry speaks plain HTTP, and is not among the engine’s `insecure-registries`');
  }
  if (certificate.test(text)) return refused('the engine does not trust the certificate of its registry');
  if (refusal.test(text)) return refused(...pullRefusal(attempt, text));
  if (isUnderWay) return refused('the pull broke off midway');
  if (malformed.test(text)) return imageUnknown(image, text);
  if (unreachable.test(text)) return refused('its registry cannot be reached');
  if (unknown.test(text)) return imageUnknown(image, text);
  return refused('its registry answered with an error');
}

/** The reason, and the remedy. Registries call an unknown repository either missing or forbidden. */
function pullRefusal({ image, credentials }: PullAttempt, text: string): [why: string, hint: string] {
  const { source, troubles } = credentials;
  const why = unknown.test(text)
    ? 'its registry does not have it, or refuses access'
    : 'its registry refuses access';
  if (source === undefined) return [why, ` ${[whereToPutThem(image), ...troubles].join(' ')}`];
  return wrongCredentials.test(text)
    ? [`its registry does not accept the credentials from ${source}`, '']
    : [`${why} with the credentials from ${source}`, ''];
}

function whereToPutThem(image: string): string {
  const registry = registryOf(image);
  return (
    `If it is private: no credentials for \`${registry}\` were found. Give them with \`docker login\` ` +
    'to the user of this service, or as a secret that `REGISTRY_CREDENTIALS` names (docs/containers.md).'
  );
}

/**
 * Why the engine cannot be reached, by the operating system's error code, each with its remedy. The address is the one
 * that was dialled, which holds no user info.
 */
interface DialError {
  readonly code?: string;
  /** The path, for a socket file. */
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
}

export const engineSilent = 'The container engine does not answer.';

export function engineProblem(cause: unknown): string {
  const { code, address, port, hostname } = (cause ?? {}) as DialError;
  const where = port === undefined ? (address ?? 'its socket') : `${address}:${port}`;
  if (code === 'EACCES' || code === 'EPERM') {
    return (
      'This process may not use the socket of the container engine (permission denied): add its user to the group ' +
      'that owns the socket; in the stack, run `make up` once, which finds that group (`DOCKER_GID` in `.env`).'
    );
  }
  if (code === 'ENOENT') {
    return `There is no socket of a container engine at ${where}: start the engine, or say where it listens with \`DOCKER_HOST\`.`;
  }
  if (code === 'ECONNREFUSED' || code === 'ENOTSOCK') {
    return `No container engine listens at ${where}: start it, or say where it listens with \`DOCKER_HOST\`.`;
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `The host of the container engine, ${hostname ?? 'in `DOCKER_HOST`'}, is not known: look at \`DOCKER_HOST\`.`;
  }
  return engineSilent;
}

/**
 * Why an engine refuses to create or start a container, recognized by its message, which goes to the log only: it
 * repeats paths and arguments. The first match counts.
 */
const reasons: readonly (readonly [RegExp, string])[] = [
  [
    /executable file not found|no such file or directory.*unknown$|exec: .*no such file/i,
    'its program is not in the image; look at `entrypoint` and the arguments',
  ],
  [/exec: .*permission denied/i, 'its program may not be executed; look at `entrypoint` and `user`'],
  [/exec format error/i, 'its image is made for another kind of processor'],
  [
    /unable to find user|no matching entries in passwd|unable to find group/i,
    'its image does not know the `user`',
  ],
  [/minimum memory limit/i, '`limits.memory_mb` is less than the engine gives a container'],
  [/range of CPUs/i, '`limits.cpus` is more than the host has'],
  [
    /bind source path does not exist|bind mount source/i,
    'a `source` of its `volumes` is no folder of the host that the engine runs on',
  ],
  [
    /not a directory.*mount|mount.*not a directory|invalid mount|invalid volume/i,
    'one of its `volumes` cannot be mounted',
  ],
  [/no command specified/i, 'its image says no command; give one'],
  [/address already in use|port is already allocated/i, 'a port that it needs is taken on the host'],
  [/no space left/i, 'the disk of the engine is full'],
  [/capabilit/i, 'the engine does not know one of its `capabilities`'],
];

/** Continues "it cannot be started: …". */
export function startRefusal(text: string): string {
  return reasons.find(([sign]) => sign.test(text))?.[1] ?? 'the engine refuses it, and the log says why';
}
