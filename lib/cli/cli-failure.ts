/**
 * The one way a command fails: a sentence for the person at the keyboard, with the remedy, and the exit code.
 * 1: it was understood and did not work. 2: it was asked in a wrong way.
 */
export class CliFailure extends Error {
  readonly exitCode: 1 | 2;
  /** What the service said besides its sentence, where it refused. */
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
