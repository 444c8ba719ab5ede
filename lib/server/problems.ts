import { withTimeout } from '../async/wait.ts';

/**
 * What the service stands on, asked at the moment: for the page, which says honestly what is down. Each answer is
 * undefined when the part serves, else the reason in a sentence; none rejects, and none keeps the page waiting.
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
