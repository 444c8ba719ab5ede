/**
 * The last lines of a server before it failed, as shown beside the failure: to the one who started it, in its record, on
 * the page. The server's log has all lines.
 */
const mostLines = 20;
const longestLine = 500;
/** Colours and titles for terminals, in lines whose control characters are escaped. */
const terminalSequence = /\\x1b(?:\[[0-?]*[ -/]*[@-~]|\](?:(?!\\x).)*(?:\\x07|\\x1b\\)|[@-Z^_])/g;

/** @param lines Of `LogLines`: secrets blotted out, control characters escaped. */
export function lastLines(lines: readonly string[]): readonly string[] {
  return lines
    .map((line) => line.replace(terminalSequence, '').trimEnd())
    .filter((line) => line !== '')
    .slice(-mostLines)
    .map((line) => (line.length > longestLine ? `${line.slice(0, longestLine - 1)}…` : line));
}

/** Lines that say nothing about the cause: places in sources, additions of run-times, advice. */
const saysNothing =
  /^\s*(?:at |\^|[})\]]|throw |raise |File "|goroutine \d|note: |Traceback |Node\.js v|node:internal|code: '|requireStack|exit status \d|During handling|The above exception|npm (?:notice|warn|WARN)|Bun v)|^\s*(?:\/|[A-Z]:\\)\S+:\d+(?::\d+)?\)?$|^\S*npm error (?:code \S+|\d+|errno \S+|syscall \S+|path \S+)?$|complete log of this run/;
const saysError =
  /^\W*(?:[\w.]*(?:Error|Exception|Failure)\b|(?:uncaught|fatal|panic|error|err)\b)|\b(?:error|fatal|panicked|panic)\b["\]]?[:,\]]|level["=: ]+"?(?:error|fatal|critical)|^npm error/i;
const saysWhy =
  /\b(?:not (?:set|found|provided|given|configured|specified|defined|installed|allowed)|missing|required?|must (?:be|have|set)|cannot|could not|can't|unable|failed|no such|invalid|denied|refused|unauthorized|forbidden|expired|unknown|is empty|undefined|unset|please (?:set|provide))\b/i;

/**
 * The line that most likely names the cause, such as `Error: API_KEY is not set`; the last of equally likely ones, because
 * a program's last complaint is the one that ended it. Undefined: no line says anything.
 */
export function tellingLine(lines: readonly string[], leastWeight = 1): string | undefined {
  let best: { readonly line: string; readonly weight: number } | undefined;
  for (const line of lines) {
    const weight = weightOf(line);
    if (weight >= (best?.weight ?? leastWeight)) best = { line, weight };
  }
  return best?.line.trim();
}

/** The same, but only a line that is certainly a complaint: a banner must not be shown as the cause of a failure. */
export function complaintOf(lines: readonly string[]): string | undefined {
  return tellingLine(lines, complaintWeight);
}

const complaintWeight = 5;

function weightOf(line: string): number {
  if (saysNothing.test(line) || !/\p{L}{2}/u.test(line)) return 0;
  const isSource = /^\s{2,}|^\t/.test(line) && !saysError.test(line);
  if (isSource) return 1;
  return 2 + (saysError.test(line) ? 4 : 0) + (saysWhy.test(line) ? 3 : 0);
}
