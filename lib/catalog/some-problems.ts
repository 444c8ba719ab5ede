/** Told at once; a server may have thousands. */
const mostTold = 20;

/** As answers and the log tell them; undefined: there are none. */
export function someProblems(problems: readonly string[]): readonly string[] | undefined {
  if (problems.length <= mostTold) return problems.length === 0 ? undefined : problems;
  return [...problems.slice(0, mostTold), `And ${problems.length - mostTold} more.`];
}
