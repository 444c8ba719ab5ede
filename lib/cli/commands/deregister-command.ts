import type { Command } from 'commander';
import { printable } from '../../text/printable.ts';
import { type AdminAnswer, slowMs } from '../admin-client.ts';
import {
  assertServerName,
  type Cli,
  type CommonOptions,
  printableLine,
  serverNameArgument,
  withCommonOptions,
} from '../cli.ts';

/** An older service answers with a message only. */
interface DeletionAnswer extends AdminAnswer {
  readonly removed?: {
    readonly containers?: readonly string[];
    readonly volumes?: readonly string[];
    readonly secrets?: number;
  };
  readonly kept?: readonly { readonly type: string; readonly source: string }[];
  readonly warnings?: readonly string[];
}

export function addDeregisterCommand(program: Command, cli: Cli): void {
  const command = program
    .command('deregister')
    .description('remove a server and its tools')
    .argument(...serverNameArgument);
  withCommonOptions(command).action((name: string, options: CommonOptions) => deregister(cli, name, options));
}

async function deregister(cli: Cli, name: string, options: CommonOptions): Promise<void> {
  assertServerName(cli, name);
  const path = `/api/servers/${encodeURIComponent(name)}`;
  const answer = (await cli.admin(options).request('DELETE', path, { timeoutMs: slowMs })) as DeletionAnswer;
  if (options.json) return cli.printJson(answer);
  cli.print(printable(String(answer.message ?? `Server ${name} is removed.`)));
  for (const line of linesOf(answer)) cli.print(printableLine(line));
  for (const warning of answer.warnings ?? []) cli.printNote(`Warning: ${printableLine(warning)}`);
}

/** Lines on the removed and the remaining data. */
function linesOf({ removed, kept = [] }: DeletionAnswer): string[] {
  const { containers = [], volumes = [], secrets = 0 } = removed ?? {};
  const lines = [
    ...containers.map((container) => `- container ${container}`),
    ...volumes.map((volume) => `- volume ${volume}`),
  ];
  if (secrets > 0) lines.push(`- ${secrets} secret${secrets === 1 ? '' : 's'}`);
  const stays = kept.map(({ type, source }) => `stays: ${type === 'bind' ? 'folder' : 'volume'} ${source}`);
  return [...lines, ...stays];
}
