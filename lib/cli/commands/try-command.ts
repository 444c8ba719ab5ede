import type { Command } from 'commander';
import { memberText } from '../../json/raw-json.ts';
import { printable, printableJson } from '../../text/printable.ts';
import { slowMs } from '../admin-client.ts';
import { assertJsonObject, type Cli, type CommonOptions, withCommonOptions } from '../cli.ts';
import { type ToolResult, textOfResult, toolFailed } from '../mcp-call.ts';

interface TryOptions extends CommonOptions {
  readonly group?: string;
}

export function addTryCommand(program: Command, cli: Cli): void {
  const command = program
    .command('try')
    .description('call a tool as an administrator, whether agents have it or not')
    .argument('<tool>', 'full name of the tool: server__tool')
    .argument('[arguments]', "the tool's arguments, a JSON object", '{}')
    .option('-g, --group <group>', 'say whether its definition is the one approved there');
  withCommonOptions(command).action((tool: string, text: string, options: TryOptions) =>
    tryTool(cli, tool, text, options),
  );
}

async function tryTool(cli: Cli, tool: string, argumentsText: string, options: TryOptions): Promise<void> {
  assertJsonObject(argumentsText, 'The arguments are');
  const group = options.group === undefined ? '' : `,"group":${JSON.stringify(options.group)}`;
  const { answer, text } = await cli
    .admin(options)
    .postText(`/api/tools/${encodeURIComponent(tool)}/try`, `{"arguments":${argumentsText}${group}}`, slowMs);
  const { warnings = [], result = {} } = answer as { warnings?: readonly string[]; result?: ToolResult };
  for (const warning of warnings) cli.printNote(warning);
  if (options.json) cli.print(printableJson(memberText(text, 'result') ?? ''));
  else cli.print(printable(textOfResult(result)));
  if (result.isError === true) throw toolFailed();
}
