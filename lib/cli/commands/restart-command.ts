import type { Command } from 'commander';
import { printable } from '../../text/printable.ts';
import { slowMs } from '../admin-client.ts';
import {
  assertServerName,
  type Cli,
  type CommonOptions,
  serverNameArgument,
  withCommonOptions,
} from '../cli.ts';

interface RestartOptions extends CommonOptions {
  readonly discardData?: boolean;
}

export function addRestartCommand(program: Command, cli: Cli): void {
  const command = program
    .command('restart')
    .description('stop a server, start it anew and list its tools again')
    .argument(...serverNameArgument)
    .option(
      '--discard-data',
      'lose what it keeps in its container outside of volumes, where a secret has changed',
    );
  withCommonOptions(command).action((name: string, options: RestartOptions) => restart(cli, name, options));
}

async function restart(cli: Cli, name: string, options: RestartOptions): Promise<void> {
  assertServerName(cli, name);
  const path = `/api/servers/${encodeURIComponent(name)}/restart`;
  const body = options.discardData === true ? { discard_data: true } : {};
  const answer = await cli.admin(options).request('POST', path, { body, timeoutMs: slowMs });
  if (options.json) cli.printJson(answer);
  else cli.print(printable(String(answer.message ?? `Server ${name} is restarted.`)));
}
