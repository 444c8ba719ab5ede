import type { CaseResult } from './judge-all.ts';

const wantedExactShare = 0.98;

/** Prints every deviation and the sums. @returns the exit code. */
export function printReport(results: readonly CaseResult[]): number {
  const skipped = results.filter(({ notRun }) => notRun !== undefined);
  const judged = results.filter(({ notRun }) => notRun === undefined);
  const graded = (grade: string) => judged.filter(({ verdict }) => verdict.grade === grade);
  const [exact, tolerated, failed] = [graded('exact'), graded('tolerated'), graded('failed')];

  for (const { input, notRun } of skipped) console.log(`not run here  ${input.id}: ${notRun}`);
  for (const { input, verdict } of [...tolerated, ...failed]) {
    const word = verdict.grade === 'failed' ? 'FAIL     ' : 'tolerated';
    console.log(`${word}  ${input.id}: ${verdict.deviations.join('; ')} (${input.why})`);
  }
  const share = judged.length === 0 ? 0 : exact.length / judged.length;
  const worst = Math.max(0, ...judged.map(({ stallMs = 0 }) => stallMs));
  const isTooInexact = share < wantedExactShare;
  console.log(
    `${exact.length} exact (${(share * 100).toFixed(1)} %, at least 98 % wanted), ${tolerated.length} tolerated, ` +
      `${failed.length} failed; longest stall of the event loop ${Math.round(worst)} ms`,
  );
  const failures = failed.length + (isTooInexact ? 1 : 0);
  if (isTooInexact) console.log('FAIL       fewer than 98 % of the answers are the preferred ones');
  const passed = exact.length + tolerated.length;
  console.log(
    `${passed} passed, ${failures} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`,
  );
  return failures > 0 ? 1 : 0;
}
