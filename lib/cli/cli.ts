import type { Command } from 'commander';
import { isServerName } from '../names/names.ts';
import type { ProgramFacts } from '../server/start/server-arguments.ts';
import type { EnvironmentVariables } from '../settings/setting-reader.ts';
import { printable, printableJson } from '../text/printable.ts';
import { type AdminClient, createAdminClient } from './admin-client.ts';
import { CliFailure } from './cli-failure.ts';
import { type CliSettings, readCliSettings } from './cli-settings.ts';

/** The terminal, the environment and the version that `main` is called with. Nothing here is global. */
export interface CliIo {
  readonly environment: EnvironmentVariables;
  /** The service's folder, for `.env` and a relative `DATA_DIR`. */
  readonly directory: string;
  /** How this command is typed in this terminal, for hints. */
  readonly command: string;
  /** How the service is started in this terminal. */
  readonly startCommand: string;
  readonly version: string;
  /** Absent where only commands for a running service are to be had. */
  readonly service?: StartableService;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** A question for yes or no; absent without a terminal. */
  readonly ask?: (question: string) => Promise<boolean>;
  /** A question for a line of text, which may be ''; absent as `ask` is. `isHidden`: the line is not shown while it is typed. */
  readonly askText?: AskText;
}

export interface StartableService {
  /** Turns this process into the service. */
  start(): Promise<void>;
  facts(): ProgramFacts;
}

export type AskText = (question: string, how: { readonly isHidden: boolean }) => Promise<string>;

/** Options that every command has. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly manager?: string;
}

export interface Cli {
  readonly settings: CliSettings;
  /** How the `svc-mcp` command is typed in this terminal. */
  readonly command: string;
  admin(options: CommonOptions): AdminClient;
  /** Prints lines on stdout. */
  print(text: string): void;
  printJson(value: unknown): void;
  /** Absent without a terminal. */
  readonly ask: ((question: string) => Promise<boolean>) | undefined;
  readonly askText: AskText | undefined;
  /** Prints a sentence on stderr that is not the result, such as a warning. */
  printNote(sentence: string): void;
}

export function createCli(io: CliIo): Cli {
  const settings = readCliSettings(io.environment, io.directory);
  const { command, ask, askText } = io;
  return {
    ...{ settings, command, ask, askText },
    admin: (options) => createAdminClient(settings, options.manager, io.startCommand),
    print: (text) => io.stdout(`${text}\n`),
    printJson: (value) => io.stdout(`${printableJson(JSON.stringify(value, null, 2))}\n`),
    // The service's sentences say `svc-mcp`, because the service does not know this terminal.
    printNote: (sentence) =>
      io.stderr(`${printable(sentence.replaceAll('`svc-mcp ', () => `\`${command} `))}\n`),
  };
}

export function withCommonOptions(command: Command): Command {
  return command
    .option('--json', 'print JSON, for machines')
    .option(
      '--manager <url>',
      'talk to the manager API at this address (with ADMIN_TOKEN) instead of the socket',
    );
}

/** The argument of commands for one server, as their help shows it. */
export const serverNameArgument = ['<server_name>', 'as `list servers` shows it'] as const;

/** @throws CliFailure before the service is asked. */
export function assertServerName(cli: Cli, name: string): void {
  if (isServerName(name)) return;
  throw new CliFailure(
    `That is no server name; \`${cli.command} list servers\` shows the names there are.`,
    2,
  );
}

/** @param what With its verb, such as "`--args` expects". @throws CliFailure, wrong usage, unless `text` is a JSON object. */
export function assertJsonObject(text: string, what: string): void {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  } catch {
    // Same sentence below.
  }
  throw new CliFailure(`${what} a JSON object in quotes, such as '{"message": "hello"}'.`, 2);
}

/** As `printable`, on one line. */
export function printableLine(text: string): string {
  return printable(text.replace(/\s+/g, ' ').trim());
}

/** Rows under their heads, each column as wide as its widest cell; the last one is not padded. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, ...rows.map((row) => row.map(printableLine))];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => (column === heads.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
