import { Failure } from '../http/failure.ts';
import { engineProblem } from './engine-problems.ts';

/**
 * What the engine's errors mean. Newer and older engines map the same trouble to different statuses, and a pull that
 * fails late says so only in its stream, so both status and words count (docker.md section 3). Its texts go to the
 * log as `cause`; they may hold addresses and are not for callers.
 */
export type ProvisionStep = 'engine' | 'pull' | 'start';

/** The engine cannot be reached, or does not answer in time. @param cause What dialling it met. */
export function engineUnavailable(cause?: unknown): Failure {
  return engineFailed(503, 'engine', engineProblem(cause), cause);
}

export function isEngineUnavailable(error: unknown): error is Failure {
  return error instanceof Failure && error.code === 'provision_failed' && error.status === 503;
}

export function engineFailed(
  status: number,
  step: ProvisionStep,
  sentence: string,
  cause?: unknown,
): Failure {
  return new Failure('provision_failed', sentence, { status, details: { step }, cause });
}

/** The registry says that there is no such image or tag. */
export function imageUnknown(image: string, cause?: unknown): Failure {
  return engineFailed(422, 'pull', `The image \`${image}\` was not found in its registry.`, cause);
}

const refusal = /denied|unauthorized|no basic auth|authentication required|forbidden|insufficient_scope/i;
const limit = /toomanyrequests|too many requests|rate limit/i;
const unreachable =
  /no such host|connection refused|i\/o timeout|timeout exceeded|deadline exceeded|no route to host|network is unreachable|connection reset|server misbehaving|TLS handshake|x509|\bEOF\b|server gave HTTP/i;
const unknown = /manifest unknown|not found|name unknown|no such image|does not exist/i;
const malformed = /invalid reference format|invalid repository|invalid tag/i;

export interface PullProblem {
  readonly failure: Failure;
  /** Nobody was there to say whether the image is still the same. */
  readonly isUnreachable: boolean;
}

/**
 * @param isUnderWay The manifest was there, so that what is not found is a part of the image: the registry's fault.
 * @param text The engine's words.
 */
export function pullProblem(image: string, text: string, isUnderWay: boolean): PullProblem {
  const refused = (why: string) =>
    engineFailed(502, 'pull', `The image \`${image}\` cannot be pulled: ${why}.`, text);
  const problem = (failure: Failure, isUnreachable = false): PullProblem => ({ failure, isUnreachable });
  if (limit.test(text)) return problem(refused('its registry limits how often it may be asked'));
  if (refusal.test(text)) return problem(refused(refusalReason(text)));
  if (isUnderWay) return problem(refused('the pull broke off midway'));
  if (malformed.test(text)) return problem(imageUnknown(image, text));
  if (unreachable.test(text)) return problem(refused('its registry cannot be reached'), true);
  if (unknown.test(text)) return problem(imageUnknown(image, text));
  return problem(refused('its registry answered with an error'));
}

/** Of an unknown repository, some registries say that it is not there or not for us. */
function refusalReason(text: string): string {
  return unknown.test(text)
    ? 'its registry does not have it, or refuses access'
    : 'its registry refuses access';
}
