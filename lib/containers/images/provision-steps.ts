import { boolean, enums, integer, number, optional, type } from 'superstruct';
import { Failure, toFailure } from '../../failure.ts';
import { about, named, type ValueOf } from '../../json/json-schema.ts';
import { startFields } from '../../upstreams/start-details.ts';

const steps = ['pull', 'start', 'ready', 'register', 'compare', 'swap'] as const;

/**
 * The progress of a provision (docs/api.md, Servers), and of an update, which compares and swaps instead of
 * registering. Each step is reported when it begins, `pull` also with each progress.
 */
export const ProvisionStep = named(
  'ProvisionStep',
  type({
    step: about(enums(steps), 'The step that begins, or that goes on.'),
    percent: optional(
      about(number(), 'Of the layers that need loading; absent while their sizes are unknown.'),
    ),
    layers: optional(about(type({ done: integer(), total: integer() }), 'How many layers are loaded.')),
  }),
);
export type ProvisionStep = ValueOf<typeof ProvisionStep>;

/** The observer of a provision, which may cancel it. */
export interface ProvisionWatch {
  readonly onStep: (step: ProvisionStep) => void;
  /** Aborted when the client disconnects or the service ends: the provision is then undone. */
  readonly signal: AbortSignal;
}

/** The failures of provisioning, in sentences for the client. */

/** `details` of `provision_failed`, and of other failures on the way. */
export const ProvisionDetails = type({
  step: optional(
    about(enums([...steps, 'engine']), 'The one that failed; `engine`: there was none to begin with.'),
  ),
  ...startFields,
  undone: optional(about(boolean(), 'Whether all that had been done is undone; absent: nothing had begun.')),
});
export type ProvisionDetails = ValueOf<typeof ProvisionDetails>;

export type FailedStep = NonNullable<ProvisionDetails['step']>;

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
  const details: ProvisionDetails = {
    step,
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
    ...(outOfMemory === true ? { out_of_memory: true } : {}),
    ...(logTail === undefined || logTail.length === 0 ? {} : { log_tail: logTail }),
    ...(missingVariables === undefined ? {} : { missing_variables: missingVariables }),
  };
  return new Failure('provision_failed', sentence, { status, details });
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
  const told: Pick<ProvisionDetails, 'step' | 'undone'> = { step, ...failure.details, undone: isUndone };
  return new Failure(failure.code, failure.message, {
    status: failure.status,
    headers: failure.headers,
    details: told,
    cause: failure.cause,
  });
}
