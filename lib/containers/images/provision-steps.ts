import { Failure, toFailure } from '../../failure.ts';

/**
 * The progress of a provision (contract section 3, "Provisioning, in detail"), and of an update, which compares and
 * swaps instead of registering. Each step is reported when it begins, `pull` also with each progress.
 */
export interface ProvisionStep {
  readonly step: 'pull' | 'start' | 'ready' | 'register' | 'compare' | 'swap';
  /** Over the layers that need loading; absent while their sizes are unknown. */
  readonly percent?: number;
  readonly layers?: { readonly done: number; readonly total: number };
}

/** The observer of a provision, which may cancel it. */
export interface ProvisionWatch {
  readonly onStep: (step: ProvisionStep) => void;
  /** Aborted when the client disconnects or the service ends: the provision is then undone. */
  readonly signal: AbortSignal;
}

/** The failures of provisioning, in sentences for the client. */

export type FailedStep = ProvisionStep['step'] | 'engine';

export interface ProvisionFacts {
  readonly status: 422 | 502 | 503 | 504;
  readonly exitCode?: number | undefined;
  readonly outOfMemory?: boolean;
  /** The server's last lines, secrets redacted. */
  readonly logTail?: readonly string[];
  readonly missingVariables?: readonly string[];
}

export function provisionFailed(step: FailedStep, sentence: string, facts: ProvisionFacts): Failure {
  const { status, exitCode, outOfMemory, logTail, missingVariables } = facts;
  return new Failure('provision_failed', sentence, {
    status,
    details: {
      step,
      ...(exitCode === undefined ? {} : { exit_code: exitCode }),
      ...(outOfMemory === true ? { out_of_memory: true } : {}),
      ...(logTail === undefined || logTail.length === 0 ? {} : { log_tail: logTail }),
      ...(missingVariables === undefined ? {} : { missing_variables: missingVariables }),
    },
  });
}

export function noEngine(reason?: string): Failure {
  const sentence =
    reason === undefined
      ? 'There is no container engine to start the image with.'
      : `The image cannot be started. ${reason}`;
  return provisionFailed('engine', sentence, { status: 503 });
}

/** Why this process does not have a server's container: continues "the server is unavailable: …". */
export const elsewhere = 'another process of this installation looks after its container';

/** @param reason Continues "not here: …"; absent: another process is the owner of the containers. */
export function containersElsewhere(reason?: string): Failure {
  const sentence =
    reason === undefined || reason === elsewhere
      ? 'Another manager of this installation looks after its containers; ask that one.'
      : `This process does not look after the containers: ${reason}.`;
  return provisionFailed('engine', sentence, { status: 503 });
}

/** For the log: the client has disconnected. */
export function calledOff(step: FailedStep): Failure {
  return provisionFailed(step, 'The provision was called off before it was done.', { status: 503 });
}

/** The same failure, with its step and whether everything before the step could be undone. */
export function withStep(error: unknown, step: FailedStep, isUndone: boolean): Failure {
  const failure = toFailure(error);
  if (failure.code === 'internal') return failure;
  return new Failure(failure.code, failure.message, {
    status: failure.status,
    headers: failure.headers,
    details: { step, ...failure.details, undone: isUndone },
    cause: failure.cause,
  });
}
