import { Failure, toFailure } from '../../failure.ts';
import { elsewhere } from '../absent-owner.ts';
import type { ProvisionStep } from './provision-steps.ts';

/** The sentences of provisioning, and what a failed step becomes for the one who asked for it. */

export type FailedStep = ProvisionStep['step'] | 'engine';

export interface ProvisionFacts {
  readonly status: 422 | 502 | 503 | 504;
  readonly exitCode?: number | undefined;
  readonly outOfMemory?: boolean;
  /** The server's last lines, secrets blotted out. */
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

/** @param reason Continues "not here: …"; absent: another process is known to have them. */
export function containersElsewhere(reason?: string): Failure {
  const sentence =
    reason === undefined || reason === elsewhere
      ? 'Another manager of this installation looks after its containers; ask that one.'
      : `This process does not look after the containers: ${reason}.`;
  return provisionFailed('engine', sentence, { status: 503 });
}

/** Nobody is left to read this; it is for the log. */
export function calledOff(step: FailedStep): Failure {
  return provisionFailed(step, 'The provision was called off before it was done.', { status: 503 });
}

/** The same failure, saying which step it was and whether everything before it could be undone. */
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
