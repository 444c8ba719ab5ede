import { Argument, type Command } from 'commander';
import { groupEndpoint } from '../../clients/client-configuration.ts';
import type { AdminAnswer, AdminClient } from '../admin-client.ts';
import { type Cli, type CommonOptions, printableLine, table, withCommonOptions } from '../cli.ts';
import { readGroups } from '../group-endpoint.ts';

interface ListOptions extends CommonOptions {
  readonly group?: string;
}

type Kind = 'servers' | 'tools' | 'groups';

export function addListCommand(program: Command, cli: Cli): void {
  const command = program
    .command('list')
    .description('show the servers, the tools or the groups')
    .addArgument(new Argument('<what>', 'what to show').choices(['servers', 'tools', 'groups']))
    .option('-g, --group <group>', 'for tools: the group whose choice is shown (default: the default group)');
  withCommonOptions(command).action((kind: Kind, options: ListOptions) => list(cli, kind, options));
}

async function list(cli: Cli, kind: Kind, options: ListOptions): Promise<void> {
  const admin = cli.admin(options);
  const { answer, text, notes = [] } = await read[kind](admin, options, cli.command);
  if (options.json) return cli.printJson(answer);
  cli.print(text);
  for (const note of notes) cli.printNote(printableLine(note));
}

interface Listing {
  readonly answer: AdminAnswer;
  readonly text: string;
  readonly notes?: readonly string[];
}

type Read = (admin: AdminClient, options: ListOptions, gatewayCommand: string) => Promise<Listing>;

const read: Record<Kind, Read> = {
  async servers(admin, _options, gatewayCommand) {
    const answer = await admin.request('GET', '/api/servers');
    const rows = records(answer.servers).map((server) => [
      cell(server.name),
      cell(server.transport),
      cell(server.status),
      cell(server.tool_count),
      cell(noteOf(server, gatewayCommand)),
    ]);
    const heads = ['NAME', 'TRANSPORT', 'STATUS', 'TOOLS', 'NOTE'];
    const notes = records(answer.servers).flatMap(({ name, problems }) =>
      Array.isArray(problems) ? problems.map((problem) => `${name}: ${problem}`) : [],
    );
    return { answer, notes, text: rows.length > 0 ? table(heads, rows) : 'No server is registered.' };
  },

  async tools(admin, { group }) {
    const query = group === undefined ? '' : `?group=${encodeURIComponent(group)}`;
    const answer = await admin.request('GET', `/api/tools${query}`);
    const tools = Object.values((answer.servers ?? {}) as object).flatMap(records);
    const rows = tools.map((tool) => [
      tool.enabled === true ? 'x' : '',
      cell(tool.name),
      cell(tool.state),
      shortened(cell(tool.description)),
    ]);
    const heads = ['ON', 'NAME', 'STATE', 'DESCRIPTION'];
    return { answer, text: rows.length > 0 ? table(heads, rows) : 'No tool is registered.' };
  },

  async groups(admin) {
    const groups = await readGroups(admin);
    const rows = groups.names.map((name) => [
      name,
      name === groups.defaultGroup ? 'default' : '',
      groupEndpoint(groups.gatewayUrl, name),
    ]);
    return { answer: groups.answer, text: table(['NAME', '', 'ENDPOINT'], rows) };
  },
};

function records(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];
}

function noteOf(server: Readonly<Record<string, unknown>>, gatewayCommand: string): unknown {
  const { last_error: error, last_error_line: line } = server;
  if (error !== undefined) return line === undefined ? error : `${error} It wrote: "${line}".`;
  return server.update_available ? updateNote(server, gatewayCommand) : server.description;
}

function updateNote({ name }: Record<string, unknown>, gatewayCommand: string): string {
  return `There is a newer image: \`${gatewayCommand} update ${name}\`.`;
}

function cell(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
