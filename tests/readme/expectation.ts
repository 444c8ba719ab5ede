import type { FreshClone } from './fresh-clone.ts';

/** What a command is held to. Whatever it says, no output may tell of a failure (`run-command.ts`). */
export interface Expectation {
  /** Default 0. */
  readonly exit?: number;
  readonly stdout?: RegExp;
  readonly stderr?: RegExp;
  /** What is typed into it. */
  readonly input?: string;
  readonly limitMs?: number;
  /** It is the service: it goes on, and has to become ready. */
  readonly isService?: true;
  /** It goes on until it is interrupted, which is done once it has written this. */
  readonly streams?: RegExp;
  /** It goes on beside those that follow, which may begin once it has written this. */
  readonly goesOnAfter?: RegExp;
  /** What the text beside it says that was done before. */
  readonly before?: (clone: FreshClone) => Promise<unknown>;
  /** What must be true after it. */
  readonly after?: (clone: FreshClone) => Promise<unknown>;
  /** It is run by another test: a file that holds these words. */
  readonly elsewhere?: { readonly file: string; readonly holds: string };
  /** It cannot be run by any test, and why; `before` is done all the same. */
  readonly skipped?: string;
  /** What the machine must have; where it has not, the command is skipped, loudly. */
  readonly needs?: 'memory image' | 'Postgres';
}

/** Commands of a document, as they stand there, each with what it is held to. */
export type Expectations = readonly (readonly [command: string, expectation: Expectation])[];
