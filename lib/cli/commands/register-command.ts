import type { Command } from 'commander';
import { serverNameRule } from '../../names/names.ts';
import { printable } from '../../text/printable.ts';
import { type Cli, type CommonOptions, withCommonOptions } from '../cli.ts';
import { printableLine } from '../printable-line.ts';
import { readJsonFile } from '../read-json-file.ts';
import { postRegistration, type RegistrationAnswer } from '../registration.ts';

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
    cli.note(`Warning: ${printableLine(warning)}`);
  }
}

/** All tools after a registration; before one, what it would add and remove. */
function toolLines(answer: RegistrationAnswer, dryRun: boolean): string[] {
  if (!dryRun) return answer.tools.map((tool) => `  ${printableLine(tool)}`);
  return [
    ...answer.added_tools.map((tool) => `+ ${printableLine(tool)}`),
    ...answer.removed_tools.map((tool) => `- ${printableLine(tool)}`),
  ];
}
