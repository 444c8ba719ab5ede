import type { Command } from 'commander';
import { type ForeignEntry, foreignEntries } from '../clients/foreign-servers.ts';
import type { AdminClient } from './admin-client.ts';
import { type Cli, type CommonOptions, withCommonOptions } from './cli.ts';
import { CliFailure } from './cli-failure.ts';
import { printableLine } from './printable.ts';
import { readJsonFile } from './read-json-file.ts';
import { postRegistration } from './registration.ts';

export function addImportCommand(program: Command, cli: Cli): void {
  const command = program
    .command('import')
    .description("register the servers of another client's file (mcpServers of Claude, Cursor, VS Code, …)")
    .argument('<file>', 'JSON file with `mcpServers` or `servers`, or `-` for standard input');
  withCommonOptions(command).action((path: string, options: CommonOptions) => importFile(cli, path, options));
}

interface Outcome {
  readonly name: string;
  readonly outcome: 'registered' | 'skipped' | 'failed';
  readonly tool_count?: number;
  readonly reason?: string;
}

/** Goes on after a server that cannot be registered; the exit code then says so. */
async function importFile(cli: Cli, path: string, options: CommonOptions): Promise<void> {
  const entries = foreignEntries(await readJsonFile(path));
  if (entries.length === 0) {
    throw new CliFailure(
      `${path} names no servers: it has neither \`mcpServers\` nor \`servers\` with entries.`,
    );
  }
  const admin = cli.admin(options);
  const outcomes: Outcome[] = [];
  for (const entry of entries) {
    const outcome = await importEntry(cli, admin, entry);
    outcomes.push(outcome);
    if (!options.json) report(cli, outcome);
  }
  if (options.json) cli.printJson({ servers: outcomes });
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed').length;
  if (failed > 0) throw new CliFailure(`${failed} of ${outcomes.length} servers could not be registered.`);
}

async function importEntry(cli: Cli, admin: AdminClient, entry: ForeignEntry): Promise<Outcome> {
  const { name } = entry;
  if ('skip' in entry) return { name, outcome: 'skipped', reason: entry.skip };
  for (const note of entry.notes) cli.note(printableLine(`${name}: ${note}`));
  try {
    const answer = await postRegistration(admin, entry.config, false);
    for (const warning of answer.warnings) cli.note(printableLine(`${name}: ${warning}`));
    return { name, outcome: 'registered', tool_count: answer.tools.length };
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error;
    return { name, outcome: 'failed', reason: error.message };
  }
}

function report(cli: Cli, { name, outcome, tool_count, reason }: Outcome): void {
  if (outcome === 'failed') cli.note(printableLine(`${name}: ${reason}`));
  else if (outcome === 'skipped') cli.print(printableLine(`${name}: skipped, ${reason}`));
  else cli.print(printableLine(`${name}: registered with ${tool_count} tools`));
}
