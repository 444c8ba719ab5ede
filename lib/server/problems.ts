import { withTimeout } from '../async/wait.ts';

/**
 * Whether the database and the container engine answer now, for the page. Undefined: it does; else the reason in a
 * sentence. Never rejects, and takes 2 s at most.
 */
export interface Problems {
  database(): Promise<string | undefined>;
  engine(): Promise<string | undefined>;
}

export interface ProblemsDeps {
  readonly database: { problem(): Promise<string | undefined> };
  readonly containers: { problem(): Promise<string | undefined> };
  readonly limitMs?: number;
}

export function createProblems({ database, containers, limitMs = 2_000 }: ProblemsDeps): Problems {
  return {
    database: () => withTimeout(database.problem(), limitMs, () => 'The database does not answer.'),
    engine: () => withTimeout(containers.problem(), limitMs, () => 'The container engine does not answer.'),
  };
}
