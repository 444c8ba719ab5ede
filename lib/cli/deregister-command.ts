import type { Command } from 'commander';
import { isServerName } from '../catalog/names.ts';
import { printable } from '../printable.ts';
import { type Cli, type CommonOptions, withCommonOptions } from './cli.ts';
import { CliFailure } from './cli-failure.ts';

export function addDeregisterCommand(program: Command, cli: Cli): void {
  const command = program
    .command('deregister')
    .description('remove a server and its tools')
    .argument('<server_name>', 'as in `gateway list servers`');
  withCommonOptions(command).action((name: string, options: CommonOptions) => deregister(cli, name, options));
}

async function deregister(cli: Cli, name: string, options: CommonOptions): Promise<void> {
  if (!isServerName(name)) {
    throw new CliFailure('That is no server name; `gateway list servers` shows the names there are.', 2);
  }
  const answer = await cli.admin(options).request('DELETE', `/api/servers/${encodeURIComponent(name)}`);
  if (options.json) cli.printJson(answer);
  else cli.print(printable(String(answer.message ?? `Server ${name} is removed.`)));
}
