import type { Command } from 'commander';
import { printable, printableJson } from '../printable.ts';
import { type Cli, type CommonOptions, withCommonOptions } from './cli.ts';
import { CliFailure } from './cli-failure.ts';
import { readGroupEndpoint } from './group-endpoint.ts';
import { callTool, type ToolResult } from './mcp-call.ts';

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
  assertJsonObject(options.args);
  const { gatewayToken: token, gatewayUrl } = cli.settings;
  // Another manager's gateway is where that one says.
  const inside = options.manager === undefined ? gatewayUrl : undefined;
  const { endpoint } = await readGroupEndpoint(cli.admin(options), options.group, inside);
  const { result, text } = await callTool({ endpoint, token, tool, argumentsText: options.args });
  if (options.json) cli.print(printableJson(text));
  else cli.print(printable(textOf(result)));
  if (result.isError === true) {
    throw new CliFailure('The tool says that it failed; its words are above.', 1, { code: 'tool_failed' });
  }
}

function assertJsonObject(text: string): void {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  } catch {
    // Same sentence below.
  }
  throw new CliFailure('`--args` expects a JSON object in quotes, such as \'{"message": "hello"}\'.', 2);
}

function textOf(result: ToolResult): string {
  const { content, structuredContent } = result;
  const blocks = Array.isArray(content) ? content.map(textOfBlock) : [];
  if (blocks.length === 0 && structuredContent !== undefined) {
    return JSON.stringify(structuredContent, null, 2);
  }
  return blocks.join('\n');
}

interface ContentBlock {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly data?: unknown;
  readonly mimeType?: unknown;
  readonly uri?: unknown;
  readonly resource?: ContentBlock;
}

/** Text as it is; of anything else what it is, since a terminal cannot show it. */
function textOfBlock(block: ContentBlock): string {
  const { type, text, data, mimeType, uri, resource } = block;
  if (type === 'resource' && resource !== undefined) return textOfBlock(resource);
  if (typeof text === 'string') return text;
  const facts = [type ?? 'resource', mimeType, uri].filter((fact) => typeof fact === 'string');
  if (typeof data === 'string') facts.push(`${Math.floor((data.length * 3) / 4)} bytes`);
  return `[${facts.join(', ')}]`;
}
