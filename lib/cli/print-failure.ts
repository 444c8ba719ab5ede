import { CommanderError } from 'commander';
import { SettingError } from '../settings/setting-reader.ts';
import { printable, printableJson } from '../text/printable.ts';
import { strings } from './admin-client.ts';
import { CliFailure } from './cli-failure.ts';

interface Report {
  readonly exitCode: 0 | 1 | 2;
  /** A code of the service, or `usage`, `invalid_setting`, `service_unreachable`, `failed`, `internal`. */
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
}

export interface Reporting {
  /** Prints one line of JSON, `{"error": {"code", "message", "details"?}}`, instead of the sentence. */
  readonly isJson: boolean;
  /** The command as it is typed. */
  readonly command: string;
  readonly stderr: (text: string) => void;
}

/**
 * Prints one sentence on stderr, never a stack: its readers do not debug this program. Earlier output remains on
 * stdout.
 * @returns the exit code.
 */
export function printFailure(error: unknown, { isJson, command, stderr }: Reporting): number {
  const { exitCode, ...report } = judge(error, command);
  if (exitCode === 0) return 0;
  if (isJson) stderr(`${printableJson(JSON.stringify({ error: report }))}\n`);
  // Commander has printed the help already.
  else if (!isHelp(error)) {
    stderr(`${printable(report.message)}\n${lastLinesText(lastLinesOf(error))}${fileText(report.details)}`);
  }
  return exitCode;
}

/** The text of a file that is kept elsewhere, to be put there; '' for any other failure. */
function fileText(details: unknown): string {
  const { file, text } = Object(details);
  if (typeof file !== 'string' || typeof text !== 'string') return '';
  return `\n${printable(file)}:\n${printable(text)}`;
}

function judge(error: unknown, command: string): Report {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { exitCode: 0, code: '', message: '' };
    const sentence = isHelp(error) ? 'A command is missing.' : usageSentence(error.message);
    return { exitCode: 2, code: 'usage', message: `${sentence} See \`${command} --help\`.` };
  }
  if (error instanceof CliFailure) {
    const { exitCode, message, refusal } = error;
    const code = refusal?.code ?? (exitCode === 2 ? 'usage' : 'failed');
    const details = refusal?.details === undefined ? {} : { details: refusal.details };
    return { exitCode, code: String(code), message, ...details };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof SettingError) return { exitCode: 1, code: 'invalid_setting', message };
  return { exitCode: 1, code: 'internal', message: `Something unexpected happened: ${message}.` };
}

function isHelp(error: unknown): boolean {
  return error instanceof CommanderError && error.code === 'commander.help';
}

/** Commander's `error: missing required argument 'x'` as a sentence. */
function usageSentence(message: string): string {
  const text = message
    .replace(/^error: /, '')
    .replace(/\n/g, ' ')
    .replace(/[.?]?$/, '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** The last lines of a server that did not start, from the service's refusal; none for any other failure. */
export function lastLinesOf(error: unknown): readonly string[] {
  const details = error instanceof CliFailure ? error.refusal?.details : undefined;
  return strings(Object(details).log_tail);
}

/** The text below the sentence of a failure, ending with a line break; '' without lines. */
export function lastLinesText(lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return ['Its last lines:', ...lines.map((line) => `  ${printable(line.replace(/\r?\n/g, ' '))}`), ''].join(
    '\n',
  );
}
