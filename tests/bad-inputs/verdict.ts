/**
 * The judgement on one case: `exact` when everything is as preferred, `tolerated` when status or JSON-RPC code
 * is one of the alternatives, `failed` otherwise. Pure: looks only at what it is given.
 */
import type { RawAnswer } from '../support/raw-http.ts';
import type { CommandResult } from '../support/run-command.ts';
import type { Expectation, Wanted } from './case.ts';

export type Grade = 'exact' | 'tolerated' | 'failed';

export interface Verdict {
  readonly grade: Grade;
  /** One sentence per deviation: what was expected, what came. */
  readonly deviations: readonly string[];
}

export function combine(verdicts: readonly Verdict[]): Verdict {
  const grades = verdicts.map(({ grade }) => grade);
  const grade = (['failed', 'tolerated'] as const).find((one) => grades.includes(one)) ?? 'exact';
  return { grade, deviations: [...new Set(verdicts.flatMap(({ deviations }) => deviations))] };
}

export function judgeValue<T>(what: string, wanted: Wanted<T>, got: T | undefined): Verdict {
  const isIn = (values: Wanted<T>) => values.flat().includes(got as T);
  if (wanted.length === 0 || isIn(wanted.slice(0, 1))) return { grade: 'exact', deviations: [] };
  const deviation = `${what}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got) ?? 'nothing'}`;
  return { grade: isIn(wanted.slice(1)) ? 'tolerated' : 'failed', deviations: [deviation] };
}

/** `problem` is said when `holds` is not true. */
export function judgeThat(holds: boolean, problem: string): Verdict {
  return holds ? { grade: 'exact', deviations: [] } : { grade: 'failed', deviations: [problem] };
}

/** @param machinePaths paths of this machine that no answer may show. */
export function judgeAnswer(
  expect: Expectation,
  answer: RawAnswer,
  machinePaths: readonly string[],
): Verdict {
  if (answer.status === undefined && expect.mayCloseWithoutAnswer && answer.isClosed) {
    return judgeClosing(expect, answer);
  }
  const code = jsonrpcCode(answer.body);
  const head = answer.head.toLowerCase();
  return combine([
    judgeValue('status', statusesOf(expect), answer.status),
    ...(expect.jsonrpcCode ? [judgeValue('JSON-RPC code', expect.jsonrpcCode, code)] : []),
    judgeClosing(expect, answer),
    judgeThat(
      answer.isComplete || answer.isClosed || expect.mayStream === true || answer.status === undefined,
      'the answer did not end',
    ),
    judgeThat(
      answer.milliseconds <= (expect.maxMs ?? Infinity),
      `took ${Math.round(answer.milliseconds)} ms`,
    ),
    judgeThat(
      answer.body.length <= (expect.maxBytes ?? Infinity),
      `answer of ${answer.body.length} characters`,
    ),
    judgeThat(!hasStack(answer.body), 'the answer shows a stack trace'),
    ...[...(expect.bodyMustNotContain ?? []), ...machinePaths].map((part) =>
      judgeThat(!answer.body.includes(part), `the answer shows ${JSON.stringify(part)}`),
    ),
    ...(expect.headersMustContain ?? []).map((part) =>
      judgeThat(head.includes(part.toLowerCase()), `no ${part} in the headers`),
    ),
    ...(expect.headersMustNotContain ?? []).map((part) =>
      judgeThat(!head.includes(part.toLowerCase()), `${part} in the headers`),
    ),
    ...(expect.answersOrError === undefined ? [] : [judgeBatch(expect.answersOrError, answer.body)]),
  ]);
}

/** Of a command line, and of a service that was started with odd settings. */
export function judgeCommand(expect: Expectation, result: CommandResult): Verdict {
  const output = result.stdout + result.stderr;
  return combine([
    judgeValue('exit code', expect.status, result.code ?? undefined),
    judgeThat(
      result.milliseconds <= (expect.maxMs ?? Infinity),
      `took ${Math.round(result.milliseconds)} ms`,
    ),
    judgeThat(!expect.stderrNotEmpty || result.stderr.trim() !== '', 'nothing on stderr'),
    judgeThat(!expect.outputNotEmpty || output.trim() !== '', 'no output'),
    judgeThat(!expect.noStack || !hasStack(output), `a stack trace is printed: ${excerpt(output)}`),
    ...(expect.outputMustContain ?? []).map((part) =>
      judgeThat(output.includes(part), `${part} is not named: ${excerpt(output)}`),
    ),
    ...(expect.outputMustNotContain ?? []).map((part) =>
      judgeThat(!output.includes(part), `${part} is printed`),
    ),
  ]);
}

/** Where only some of the requests may succeed, the others' refusals are as good; how many did is counted elsewhere. */
function statusesOf({ status, successes }: Expectation): Wanted<number> {
  return successes === undefined ? status : [status.flat()];
}

function judgeClosing({ closedWithinSeconds }: Expectation, answer: RawAnswer): Verdict {
  if (closedWithinSeconds === undefined) return judgeThat(true, '');
  const seconds = answer.milliseconds / 1000;
  return judgeThat(
    answer.isClosed && seconds <= closedWithinSeconds,
    `closed after ${answer.isClosed ? seconds.toFixed(1) : 'more than'} s`,
  );
}

function judgeBatch(count: number, body: string): Verdict {
  const answers = messages(body).flat();
  const isRefused = answers.some((answer) => errorCode(answer) === -32600);
  return judgeThat(isRefused || answers.length === count, `${answers.length} answers instead of ${count}`);
}

/** The code of the first JSON-RPC error in the body; `null` when there is no error. */
export function jsonrpcCode(body: string): number | null {
  const codes = messages(body).flat().map(errorCode);
  return codes.find((code) => code !== null) ?? null;
}

function errorCode(message: unknown): number | null {
  const error = (message as { error?: { code?: unknown } } | null)?.error;
  return typeof error?.code === 'number' ? error.code : null;
}

/** JSON bodies as they are; of an event stream, the data of each event. */
function messages(body: string): unknown[] {
  const texts =
    body.trimStart().startsWith('{') || body.trimStart().startsWith('[') ? [body] : dataLines(body);
  return texts.flatMap((text) => {
    try {
      return [JSON.parse(text) as unknown];
    } catch {
      return [];
    }
  });
}

function dataLines(body: string): string[] {
  return body
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5));
}

const stackLine = /(^|\\n|\n)\s+at .+:\d+:\d+/;

function hasStack(text: string): boolean {
  return stackLine.test(text);
}

/** What stands before the stack, or the beginning, in one line. */
function excerpt(output: string): string {
  const end = stackLine.exec(output)?.index;
  const part = end === undefined ? output.slice(0, 200) : output.slice(Math.max(0, end - 200), end);
  return part.replace(/\s+/g, ' ').trim();
}
