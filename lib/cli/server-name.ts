import { isServerName } from '../names/names.ts';
import type { Cli } from './cli.ts';
import { CliFailure } from './cli-failure.ts';

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
