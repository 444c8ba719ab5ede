import { printable } from '../text/printable.ts';
import { CliFailure } from './cli-failure.ts';

/** The last lines of a server that did not start, out of the service's refusal; none of any other failure. */
export function lastLinesOf(error: unknown): readonly string[] {
  const details = error instanceof CliFailure ? error.refusal?.details : undefined;
  const lines = Object(details).log_tail as unknown;
  return Array.isArray(lines) ? lines.filter((line) => typeof line === 'string') : [];
}

/** Below the sentence that says what failed; empty where there are none. Each line ends with a line break. */
export function lastLinesText(lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return ['Its last lines:', ...lines.map((line) => `  ${printable(line.replace(/\r?\n/g, ' '))}`), ''].join(
    '\n',
  );
}
