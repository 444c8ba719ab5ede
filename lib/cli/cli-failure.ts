/**
 * The failure of a command: a sentence for the user of the terminal, with the remedy, and the exit code. 1: the command
 * failed. 2: wrong usage.
 */
export class CliFailure extends Error {
  readonly exitCode: 1 | 2;
  /** Code and details of the service's refusal. */
  readonly refusal: Refusal | undefined;

  constructor(sentence: string, exitCode: 1 | 2 = 1, refusal?: Refusal) {
    super(sentence);
    this.name = 'CliFailure';
    this.exitCode = exitCode;
    this.refusal = refusal;
  }
}

export interface Refusal {
  readonly code: unknown;
  readonly details?: unknown;
}

/** A 401 with its remedy: a token that was sent is the wrong one. */
export function unauthorized(
  who: 'The service' | 'The gateway',
  setting: 'ADMIN_TOKEN' | 'GATEWAY_TOKEN',
  wasSent: boolean,
): CliFailure {
  const place = 'in the environment or in `.env`';
  const sentence = wasSent
    ? `${who} does not accept this ${setting}: it is not the one it was started with. Set that one ${place}.`
    : `${who} wants its ${setting === 'ADMIN_TOKEN' ? 'admin token' : 'token'}: set ${setting} ${place}.`;
  return new CliFailure(sentence, 1, {
    code: 'unauthorized',
    details: { reason: wasSent ? 'wrong' : 'missing' },
  });
}
