import type { Command } from 'commander';
import { printable, printableJson } from '../../text/printable.ts';
import { assertJsonObject, type Cli, type CommonOptions, withCommonOptions } from '../cli.ts';
import { readGroupEndpoint } from '../group-endpoint.ts';
import { callToolOverHttp, textOfResult, toolFailed } from '../mcp-call.ts';

interface CallOptions extends CommonOptions {
  readonly args: string;
  readonly group?: string;
}

export function addCallCommand(program: Command, cli: Cli): void {
  const command = program
    .command('call')
    .description('call a tool the way an agent of the group does')
    .argument('<tool>', 'name of the tool, as agents of the group see it')
    .option('-a, --args <JSON>', "the tool's arguments, a JSON object", '{}')
    .option('-g, --group <group>', 'whose endpoint is used (default: the default group)');
  withCommonOptions(command).action((tool: string, options: CallOptions) => call(cli, tool, options));
}

async function call(cli: Cli, tool: string, options: CallOptions): Promise<void> {
  assertJsonObject(options.args, '`--args` expects');
  const { gatewayToken: token, gatewayUrl } = cli.settings;
  // Another manager provides its own gateway's address.
  const inside = options.manager === undefined ? gatewayUrl : undefined;
  const { endpoint } = await readGroupEndpoint(cli.admin(options), options.group, inside);
  const { result, text } = await callToolOverHttp({ endpoint, token, tool, argumentsText: options.args });
  if (options.json) cli.print(printableJson(text));
  else cli.print(printable(textOfResult(result)));
  if (result.isError === true) throw toolFailed();
}
