import type { Command } from 'commander';
import { serverNameRule } from '../../names/names.ts';
import { printable } from '../../text/printable.ts';
import { type AdminClient, slowMs, strings } from '../admin-client.ts';
import { type Cli, type CommonOptions, printableLine, withCommonOptions } from '../cli.ts';
import { readJsonFile } from '../read-json-file.ts';

interface RegisterOptions extends CommonOptions {
  readonly config: string;
  readonly dryRun?: boolean;
  readonly discardData?: boolean;
}

export function addRegisterCommand(program: Command, cli: Cli): void {
  const command = program
    .command('register')
    .description('register a server and its tools, or replace it without a gap')
    .requiredOption(
      '-c, --config <config_path>',
      'registration config (JSON file, or `-` for standard input)',
    )
    .option('--dry-run', 'connect and show what would change, but change nothing')
    .option('--discard-data', 'lose what the server keeps in its container outside of volumes')
    .addHelpText('after', `\nThe config's \`name\`: ${serverNameRule}.`);
  withCommonOptions(command).action((options: RegisterOptions) => register(cli, options));
}

async function register(cli: Cli, options: RegisterOptions): Promise<void> {
  const document = await readJsonFile(options.config);
  const dryRun = options.dryRun === true;
  const answer = await postRegistration(cli.admin(options), document, {
    dryRun,
    replace: true,
    discardData: options.discardData === true,
  });
  if (options.json) return cli.printJson(answer);
  cli.print(printable(answer.message));
  for (const line of toolLines(answer, dryRun)) cli.print(line);
  for (const warning of [...answer.warnings, ...(answer.problems ?? [])]) {
    cli.printNote(`Warning: ${printableLine(warning)}`);
  }
}

/** All tools after a registration; in a dry run, the added and removed ones. */
function toolLines(answer: RegistrationAnswer, dryRun: boolean): string[] {
  if (!dryRun) return answer.tools.map((tool) => `  ${printableLine(tool)}`);
  return [
    ...answer.added_tools.map((tool) => `+ ${printableLine(tool)}`),
    ...answer.removed_tools.map((tool) => `- ${printableLine(tool)}`),
  ];
}

/** The service's answer to a registration (`POST /api/servers`). */
export interface RegistrationAnswer {
  readonly message: string;
  readonly name: string;
  readonly tools: readonly string[];
  readonly warnings: readonly string[];
  /** Problems of the server's lists. */
  readonly problems?: readonly string[];
  readonly added_tools: readonly string[];
  readonly removed_tools: readonly string[];
}

export async function postRegistration(
  admin: AdminClient,
  document: Readonly<Record<string, unknown>>,
  {
    dryRun = false,
    replace,
    discardData = false,
  }: { readonly dryRun?: boolean; readonly replace: boolean; readonly discardData?: boolean },
): Promise<RegistrationAnswer> {
  const body = {
    ...document,
    ...(dryRun ? { dry_run: true } : {}),
    ...(replace ? { replace: true } : {}),
    ...(discardData ? { discard_data: true } : {}),
  };
  const answer = await admin.request('POST', '/api/servers', { body, timeoutMs: slowMs });
  return {
    ...answer,
    message: String(answer.message ?? ''),
    name: String(answer.name ?? ''),
    tools: strings(answer.tools),
    warnings: strings(answer.warnings),
    ...(answer.problems === undefined ? {} : { problems: strings(answer.problems) }),
    added_tools: strings(answer.added_tools),
    removed_tools: strings(answer.removed_tools),
  };
}
