/**
 * Turns what a child told, and how it ended, into passed, failed and skipped. Knows each way in which a test
 * file can look green without having run (`tests/unit/project/runner/` holds one liar for each).
 */
import type { FileResult, Report } from './report.ts';

/** How the child process of a test file came to its end. */
export interface Ending {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Set when the runner had to end it: what the file was still doing then. */
  readonly ended?: 'over its time limit' | 'still open after its last test' | undefined;
  readonly limitMs: number;
}

type Counts = Pick<FileResult, 'passed' | 'failed' | 'skipped' | 'problems'>;

export function judge(reports: readonly Report[], ending: Ending): Counts {
  const problems: string[] = [];
  let [passed, failed, skipped] = [0, 0, 0];
  for (const report of reports) {
    if (report.kind === 'suite') {
      passed += report.ran;
      skipped += report.skipped;
      failed += report.total - report.ran;
      problems.push(...suiteProblems(report));
    } else if (report.kind === 'suite-threw') {
      failed += 1;
      problems.push(`A hook threw outside any test:\n${report.error}`);
    }
  }
  for (const problem of fileProblems(reports, ending)) {
    failed += 1;
    problems.push(problem);
  }
  return { passed, failed, skipped, problems };
}

function suiteProblems(suite: Extract<Report, { kind: 'suite' }>): string[] {
  if (suite.errors) return [suite.errors.trimEnd()];
  if (suite.total > suite.ran) {
    return [
      `${suite.total - suite.ran} of ${suite.total} tests did not pass: a hook threw, or an error with \`details\` that ` +
        'are no text, a Failure say, which uvu cannot print (it keeps both to itself).',
    ];
  }
  return [];
}

function fileProblems(reports: readonly Report[], ending: Ending): string[] {
  const isThrough = reports.some((report) => report.kind === 'end');
  if (ending.ended === 'over its time limit') {
    return [
      `The file was ${ending.ended} of ${ending.limitMs / 1000} s and was ended with all its processes.`,
    ];
  }
  if (!isThrough) return [`The file ended before its tests were through (${endedHow(ending)}).`];
  const problems: string[] = [];
  if (countTests(reports) === 0) problems.push('The file has no tests: is its `test.run()` missing?');
  if (ending.ended) problems.push(`The file was ${ending.ended}: a server, socket, timer or child is left.`);
  else if (ending.exitCode !== 0)
    problems.push(`All tests ran, but the file ended with ${endedHow(ending)}.`);
  return problems;
}

function countTests(reports: readonly Report[]): number {
  return reports.reduce((sum, report) => {
    if (report.kind === 'suite') return sum + report.total + report.skipped;
    return report.kind === 'suite-threw' ? sum + 1 : sum;
  }, 0);
}

function endedHow(ending: Ending): string {
  return ending.signal ? `signal ${ending.signal}` : `exit code ${ending.exitCode}`;
}
