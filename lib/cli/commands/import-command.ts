import type { Command } from 'commander';
import { inputsIn, type WantedInput, wantedInputs, withInputs } from '../../clients/foreign-inputs.ts';
import { dockerLineEntries, type ForeignEntry, foreignEntries } from '../../clients/foreign-servers.ts';
import { readPastedText } from '../../clients/pasted-text.ts';
import { Failure } from '../../failure.ts';
import type { AdminClient } from '../admin-client.ts';
import { type Cli, type CommonOptions, printableLine, withCommonOptions } from '../cli.ts';
import { CliFailure } from '../cli-failure.ts';
import { missingInputs, readInputs } from '../import-inputs.ts';
import { lastLinesOf, lastLinesText } from '../print-failure.ts';
import { readTextFile, sourceOf } from '../read-json-file.ts';
import { postRegistration, type RegistrationAnswer } from './register-command.ts';

interface ImportOptions extends CommonOptions {
  readonly replace?: boolean;
  readonly discardData?: boolean;
  readonly input?: readonly string[];
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
    .option(
      '--input <key=value>',
      'the value of an input that the file asks for; at a terminal it is asked for',
      (text: string, before: readonly string[] = []) => [...before, text],
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
  /** Last output of a server that did not start. */
  readonly log_tail?: readonly string[];
  /** Changes and warnings: here with `--json`, otherwise on stderr. */
  readonly notes?: readonly string[];
}

/** Continues after a server that cannot be registered; the exit code then reports it. */
async function importFile(cli: Cli, path: string, options: ImportOptions): Promise<void> {
  const { entries, inputs } = serversIn(path, await readTextFile(path));
  if (entries.length === 0) {
    throw new CliFailure(
      `${path} names no servers: it has neither \`mcpServers\` nor \`servers\` with entries.`,
    );
  }
  const admin = cli.admin(options);
  const values = await readInputs(cli, inputs, options.input ?? [], options.json !== true);
  const outcomes: Outcome[] = [];
  for (const entry of entries) {
    const missing = missingOf(entry, inputs, values);
    const outcome: Outcome =
      missing.length > 0
        ? { name: entry.name, outcome: 'failed', reason: `${missingInputs(missing)}.` }
        : await importEntry(cli, admin, withInputs(entry, values), options);
    outcomes.push(outcome);
    if (!options.json) report(cli, outcome);
  }
  if (options.json) cli.printJson({ servers: outcomes });
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed').length;
  if (failed > 0) throw new CliFailure(`${failed} of ${outcomes.length} servers could not be registered.`);
}

interface ForeignFile {
  readonly entries: readonly ForeignEntry[];
  readonly inputs: readonly WantedInput[];
}

function serversIn(path: string, text: string): ForeignFile {
  try {
    const document = readPastedText(text);
    const { command_line: lines } = document;
    const entries = typeof lines === 'string' ? dockerLineEntries(lines) : foreignEntries(document);
    return { entries, inputs: wantedInputs(document, entries) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new CliFailure(`${sourceOf(path)}: ${error.message}`);
  }
}

function missingOf(
  entry: ForeignEntry,
  inputs: readonly WantedInput[],
  values: ReadonlyMap<string, string>,
): readonly WantedInput[] {
  const ids = 'config' in entry ? inputsIn(entry.config) : new Set<string>();
  return inputs.filter(({ id }) => ids.has(id) && !values.has(id));
}

async function importEntry(
  cli: Cli,
  admin: AdminClient,
  entry: ForeignEntry,
  options: ImportOptions,
): Promise<Outcome> {
  const { name } = entry;
  if ('skip' in entry) return { name, outcome: 'skipped', reason: entry.skip };
  const notes: string[] = [];
  const note = (text: string) => {
    notes.push(text);
    if (!options.json) cli.printNote(printableLine(`${name}: ${text}`));
  };
  const outcomeOf = (facts: Omit<Outcome, 'name'>): Outcome => ({
    name,
    ...facts,
    ...(notes.length > 0 ? { notes } : {}),
  });
  for (const text of [...entry.notes, ...entry.warnings]) note(text);
  try {
    const answer = await registerOrAsk(cli, admin, entry.config, options);
    if (answer === undefined) return outcomeOf({ outcome: 'skipped', reason: 'it stays as it is' });
    for (const text of [...answer.warnings, ...(answer.problems ?? [])]) note(text);
    return outcomeOf({ outcome: 'registered', tool_count: answer.tools.length });
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error;
    const lines = lastLinesOf(error);
    const tail = lines.length > 0 ? { log_tail: lines } : {};
    return outcomeOf({ outcome: 'failed', reason: error.message, ...tail });
  }
}

/** Undefined: the person answered no. Without a terminal the failure names the option that answers yes. */
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
  /** Shown without a terminal. */
  readonly remedy: string;
  readonly yes: Pick<ImportOptions, 'replace' | 'discardData'>;
}

/** Undefined when yes would not help, or was given already. */
function questionOf(error: unknown, { replace, discardData }: ImportOptions): Question | undefined {
  const replaced = replace ? undefined : whatItReplaces(error);
  if (replaced !== undefined) {
    const other = otherNameFor(error);
    const example = other === undefined ? '' : `, such as \`${other}\``;
    const remedy = `Import with \`--replace\` to put this one in its place, or give it another name in the file${example}.`;
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

function report(cli: Cli, { name, outcome, tool_count, reason, log_tail = [] }: Outcome): void {
  if (outcome === 'failed')
    cli.printNote(`${printableLine(`${name}: ${reason}`)}\n${lastLinesText(log_tail)}`.trimEnd());
  else if (outcome === 'skipped') cli.print(printableLine(`${name}: skipped, ${reason}`));
  else cli.print(printableLine(`${name}: registered with ${tool_count} tools`));
}

/**
 * A sentence for a registration that was refused because the name is taken, with the groups whose tools a replacement
 * would change. Undefined for any other failure.
 */
function whatItReplaces(error: unknown): string | undefined {
  if (!(error instanceof CliFailure) || error.refusal?.code !== 'conflict') return undefined;
  const { server, affected_groups: groups, origin_changes: isAnother } = toRecord(error.refusal.details);
  if (typeof server !== 'string') return undefined;
  const names = Object.keys(toRecord(groups));
  const users = names.length === 0 ? 'No group uses it.' : `Used by ${names.join(', ')}.`;
  const what = isAnother === true ? '; the new one is another program, image or address' : '';
  return `There is a server named \`${server}\` already${what}. ${users}`;
}

/** A free name like the one that is taken, if the service suggests one. */
function otherNameFor(error: unknown): string | undefined {
  const { suggested_name: name } = toRecord(error instanceof CliFailure ? error.refusal?.details : undefined);
  return typeof name === 'string' ? name : undefined;
}

/**
 * A sentence on the files in the container of the existing server that a registration would lose. Undefined for any other
 * failure.
 */
function whatItLoses(error: unknown): string | undefined {
  if (!(error instanceof CliFailure) || error.refusal?.code !== 'data_at_risk') return undefined;
  const { paths, count } = toRecord(error.refusal.details);
  const shown = Array.isArray(paths) ? paths.map(String) : [];
  if (shown.length === 0) return 'What it keeps in its container would be lost.';
  const more = typeof count === 'number' && count > shown.length ? ` and ${count - shown.length} more` : '';
  return `What it keeps in its container would be lost: ${shown.join(', ')}${more}.`;
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
