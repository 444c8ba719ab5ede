/** How results look on the terminal: one line per file, failures in full, the sum alone on the last line. */
import { relative } from 'node:path';
import type { FileResult } from './report.ts';

export interface Sum {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function sumOf(results: readonly Sum[]): Sum {
  return results.reduce(
    (sum, { passed, failed, skipped }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: sum.skipped + skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

/** `12 passed, 0 failed`, with `, 3 skipped` when some were. */
export function sumLine({ passed, failed, skipped }: Sum): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

export function describeResult(result: FileResult): string {
  const name = relative(process.cwd(), result.file);
  const head = `${result.failed > 0 ? 'FAIL' : 'ok  '} ${name}  ${sumLine(result)}  ${result.milliseconds} ms`;
  const parts = [head];
  parts.push(...measurements(result).map((line) => `     ${line}`));
  if (result.skipped > 0) parts.push(...skipReasons(result).map((line) => `     SKIPPED: ${line}`));
  if (result.failed > 0)
    parts.push(...result.problems.map(indent), indent(`--- what it wrote\n${result.output}`));
  return parts.join('\n');
}

/** Lines in which the file says why it skips; a skip nobody explains is said to be just that. */
function skipReasons({ output, skipped }: FileResult): string[] {
  const lines = output.split('\n').filter((line) => /skipp/i.test(line));
  return lines.length > 0 ? [...new Set(lines)] : [`${skipped} tests, no reason given`];
}

/** Figures that a file wants to be seen although nothing failed; uvu's dots may stand before them. */
function measurements({ output }: FileResult): string[] {
  return output.match(/measured: .*/g) ?? [];
}

function indent(text: string): string {
  return text.trimEnd().replace(/^/gm, '    ');
}
