import type { Log } from '../log.ts';

/** Listed in one answer or log line; a server may have thousands. */
const mostListed = 20;

/** The problems for answers and the log; undefined when there are none. */
export function someProblems(problems: readonly string[]): readonly string[] | undefined {
  if (problems.length <= mostListed) return problems.length === 0 ? undefined : problems;
  return [...problems.slice(0, mostListed), `And ${problems.length - mostListed} more.`];
}

/** The field of answers, absent when there are none. */
export function problemsOf({ problems }: Pick<Listed, 'problems'>): { problems?: readonly string[] } {
  const some = someProblems(problems);
  return some ? { problems: some } : {};
}

interface Listed {
  readonly name: string;
  readonly problems: readonly string[];
}

/** Once for each change, in every process. */
export function logProblems(log: Log, now: Listed | undefined, before: Listed | undefined): void {
  const problems = now && someProblems(now.problems);
  if (!now || !problems || now.problems.join() === before?.problems.join()) return;
  log.warn({ server: now.name, problems }, 'Some of what the server lists was mended or left out.');
}
