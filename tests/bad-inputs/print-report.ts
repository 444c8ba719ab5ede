import { arguedExceptions } from './argued-exceptions.ts';
import type { CaseResult } from './judge-all.ts';

type Exceptions = Readonly<Record<string, string>>;

/**
 * Prints every deviation and the sums. A tolerated answer is a failure unless it is argued for, and so is an argument
 * for an answer that is exact by now.
 * @returns the exit code.
 */
export function printReport(
  results: readonly CaseResult[],
  exceptions: Exceptions = arguedExceptions,
  print: (line: string) => void = console.log,
): number {
  const skipped = results.filter(({ notRun }) => notRun !== undefined);
  const judged = results.filter(({ notRun }) => notRun === undefined);
  const graded = (grade: string) => judged.filter(({ verdict }) => verdict.grade === grade);
  const [exact, tolerated, failed] = [graded('exact'), graded('tolerated'), graded('failed')];
  const isArgued = ({ input }: CaseResult) => Object.hasOwn(exceptions, input.id);
  const [argued, unargued] = [tolerated.filter(isArgued), tolerated.filter((one) => !isArgued(one))];
  const outdated = exact.filter(isArgued);

  for (const { input, notRun } of skipped) print(`not run here  ${input.id}: ${notRun}`);
  for (const { input } of argued) print(`argued     ${input.id}: ${exceptions[input.id]}`);
  for (const result of unargued) print(`TOLERATED  ${deviationsOf(result)}`);
  for (const result of failed) print(`FAIL       ${deviationsOf(result)}`);
  for (const { input } of outdated) print(`OUTDATED   ${input.id} is exact: take its argument away`);
  const worst = Math.max(0, ...judged.map(({ stallMs = 0 }) => stallMs));
  print(
    `${exact.length} exact, ${tolerated.length} tolerated (${argued.length} argued), ${failed.length} failed; ` +
      `longest stall of the event loop ${Math.round(worst)} ms`,
  );
  const failures = failed.length + unargued.length + outdated.length;
  const passed = judged.length - failures;
  print(`${passed} passed, ${failures} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`);
  return failures > 0 ? 1 : 0;
}

function deviationsOf({ input, verdict }: CaseResult): string {
  return `${input.id}: ${verdict.deviations.join('; ')} (${input.why})`;
}
