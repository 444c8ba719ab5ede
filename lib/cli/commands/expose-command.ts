import type { Command } from 'commander';
import { printable } from '../../text/printable.ts';
import type { AdminAnswer, AdminClient } from '../admin-client.ts';
import { type Cli, type CommonOptions, printableLine, withCommonOptions } from '../cli.ts';
import { CliFailure } from '../cli-failure.ts';

interface ExposeOptions extends CommonOptions {
  readonly group?: string;
  readonly name?: string;
  readonly reset?: boolean;
}

export function addExposeCommand(program: Command, cli: Cli): void {
  const command = program
    .command('expose')
    .description(
      'show a tool to the agents of a group by another name, such as one that model providers take',
    )
    .argument('<tool>', 'its full name; a server: each of its tools whose name is refused')
    .option('-g, --group <group>', 'whose agents (default: the default group)')
    .option('-n, --name <name>', 'the name that agents see (default: one that can be read, taken everywhere)')
    .option('--reset', 'show the full name again');
  withCommonOptions(command).action((tool: string, options: ExposeOptions) => {
    const { name, reset } = options;
    if (name !== undefined && reset) throw new CliFailure('Use `--name` or `--reset`, not both.', 2);
    return expose(cli, tool, options);
  });
}

async function expose(cli: Cli, tool: string, options: ExposeOptions): Promise<void> {
  const admin = cli.admin(options);
  // Names of servers hold no `__`, those of tools do.
  const ofServer = tool.includes('__') ? undefined : await toolsOf(admin, tool, options);
  if (ofServer !== undefined) return exposeAll(cli, admin, tool, ofServer, options);
  const answer = await post(admin, tool, options);
  if (options.json) cli.printJson(answer);
  else cli.print(printable(String(answer.message)));
}

/** Undefined when there is no such server: the service's own sentence says so. */
async function toolsOf(
  admin: AdminClient,
  server: string,
  { group, name, reset }: ExposeOptions,
): Promise<readonly string[] | undefined> {
  const query = group === undefined ? '' : `?group=${encodeURIComponent(group)}`;
  const { servers } = await admin.request('GET', `/api/tools${query}`);
  const tools: unknown = Object.entries({ ...(servers as object) }).find(([each]) => each === server)?.[1];
  if (!Array.isArray(tools)) return undefined;
  if (name !== undefined)
    throw new CliFailure('`--name` is for one tool: name that instead of its server.', 2);
  const field = reset ? 'exposed_name' : 'suggested_name';
  return tools.filter((each) => typeof each?.[field] === 'string').map((each) => String(each.name));
}

async function exposeAll(
  cli: Cli,
  admin: AdminClient,
  server: string,
  tools: readonly string[],
  options: ExposeOptions,
): Promise<void> {
  const exposed: { tool: string; exposed_name: unknown }[] = [];
  for (const tool of tools) {
    const { exposed_name } = await post(admin, tool, options);
    exposed.push({ tool, exposed_name });
    if (!options.json) cli.print(`${printableLine(tool)}  ->  ${exposed_name ?? 'its full name'}`);
  }
  if (options.json) return cli.printJson({ success: true, server, tools: exposed });
  if (tools.length === 0) cli.print(`No tool of server ${server} needs that.`);
}

function post(admin: AdminClient, tool: string, { group, name, reset }: ExposeOptions): Promise<AdminAnswer> {
  const body = {
    ...(group === undefined ? {} : { group }),
    ...(reset ? { name: null } : {}),
    ...(name === undefined ? {} : { name }),
  };
  return admin.request('POST', `/api/tools/${encodeURIComponent(tool)}/expose`, { body });
}
