import type { Command } from 'commander';
import { dockerLineEntries, type ForeignEntry, foreignEntries } from '../clients/foreign-servers.ts';
import type { AdminClient } from './admin-client.ts';
import { type Cli, type CommonOptions, withCommonOptions } from './cli.ts';
import { CliFailure } from './cli-failure.ts';
import { printableLine } from './printable-line.ts';
import { parseObject, readTextFile } from './read-json-file.ts';
import { postRegistration, type RegistrationAnswer } from './registration.ts';
import { whatItLoses, whatItReplaces } from './replacement.ts';

interface ImportOptions extends CommonOptions {
  readonly replace?: boolean;
  readonly discardData?: boolean;
}

export function addImportCommand(program: Command, cli: Cli): void {
  const command = program
    .command('import')
    .description(
      "register the servers of another client's file (mcpServers of Claude, Cursor, VS Code, …), or of `docker run` lines",
    )
    .argument(
      '<file>',
      'JSON file with `mcpServers` or `servers`, or text with `docker run` lines; `-` is standard input',
    )
    .option('--replace', 'put them in the place of servers that have their names, without asking')
    .option('--discard-data', 'lose what replaced servers keep in their containers, without asking');
  withCommonOptions(command).action((path: string, options: ImportOptions) => importFile(cli, path, options));
}

interface Outcome {
  readonly name: string;
  readonly outcome: 'registered' | 'skipped' | 'failed';
  readonly tool_count?: number;
  readonly reason?: string;
}

/** Goes on after a server that cannot be registered; the exit code then says so. */
async function importFile(cli: Cli, path: string, options: ImportOptions): Promise<void> {
  const entries = entriesIn(path, await readTextFile(path));
  if (entries.length === 0) {
    throw new CliFailure(
      `${path} names no servers: it has neither \`mcpServers\` nor \`servers\` with entries.`,
    );
  }
  const admin = cli.admin(options);
  const outcomes: Outcome[] = [];
  for (const entry of entries) {
    const outcome = await importEntry(cli, admin, entry, options);
    outcomes.push(outcome);
    if (!options.json) report(cli, outcome);
  }
  if (options.json) cli.printJson({ servers: outcomes });
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed').length;
  if (failed > 0) throw new CliFailure(`${failed} of ${outcomes.length} servers could not be registered.`);
}

function entriesIn(path: string, text: string): readonly ForeignEntry[] {
  const lines = /^\s*[{[]/.test(text) ? [] : dockerLineEntries(text);
  return lines.length > 0 ? lines : foreignEntries(parseObject(path, text));
}

async function importEntry(
  cli: Cli,
  admin: AdminClient,
  entry: ForeignEntry,
  options: ImportOptions,
): Promise<Outcome> {
  const { name } = entry;
  if ('skip' in entry) return { name, outcome: 'skipped', reason: entry.skip };
  for (const note of [...entry.notes, ...entry.warnings]) cli.note(printableLine(`${name}: ${note}`));
  try {
    const answer = await registerOrAsk(cli, admin, entry.config, options);
    if (answer === undefined) return { name, outcome: 'skipped', reason: 'it stays as it is' };
    for (const warning of [...answer.warnings, ...(answer.problems ?? [])]) {
      cli.note(printableLine(`${name}: ${warning}`));
    }
    return { name, outcome: 'registered', tool_count: answer.tools.length };
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error;
    return { name, outcome: 'failed', reason: error.message };
  }
}

/** Undefined: the person said no. Who cannot be asked is told of the option that says yes. */
async function registerOrAsk(
  cli: Cli,
  admin: AdminClient,
  config: Readonly<Record<string, unknown>>,
  options: ImportOptions,
): Promise<RegistrationAnswer | undefined> {
  const { replace = false, discardData = false, json } = options;
  try {
    const document = discardData ? { ...config, discard_data: true } : config;
    return await postRegistration(admin, document, { replace });
  } catch (error) {
    const question = questionOf(error, options);
    if (question === undefined) throw error;
    if (cli.ask === undefined || json) throw new CliFailure(`${question.effect} ${question.remedy}`);
    const isWanted = await cli.ask(`${printableLine(question.effect)} ${question.ask}`);
    return isWanted ? await registerOrAsk(cli, admin, config, { ...options, ...question.yes }) : undefined;
  }
}

interface Question {
  readonly effect: string;
  readonly ask: string;
  /** For who cannot be asked. */
  readonly remedy: string;
  readonly yes: Pick<ImportOptions, 'replace' | 'discardData'>;
}

/** Undefined: yes would not help, or was said already. */
function questionOf(error: unknown, { replace, discardData }: ImportOptions): Question | undefined {
  const replaced = replace ? undefined : whatItReplaces(error);
  if (replaced !== undefined) {
    const remedy = 'Import with `--replace` to put this one in its place.';
    return { effect: replaced, ask: 'Replace it?', remedy, yes: { replace: true } };
  }
  const lost = discardData ? undefined : whatItLoses(error);
  if (lost === undefined) return undefined;
  return {
    effect: lost,
    ask: 'Lose it?',
    remedy: 'Import with `--discard-data` to go on.',
    yes: { discardData: true },
  };
}

function report(cli: Cli, { name, outcome, tool_count, reason }: Outcome): void {
  if (outcome === 'failed') cli.note(printableLine(`${name}: ${reason}`));
  else if (outcome === 'skipped') cli.print(printableLine(`${name}: skipped, ${reason}`));
  else cli.print(printableLine(`${name}: registered with ${tool_count} tools`));
}
