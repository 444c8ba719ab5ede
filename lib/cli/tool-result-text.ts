import { CliFailure } from './cli-failure.ts';
import type { ToolResult } from './mcp-call.ts';

/** What a tool answered, for a terminal: its texts, or its structured content where there are none. */
export function textOfResult(result: ToolResult): string {
  const { content, structuredContent } = result;
  const blocks = Array.isArray(content) ? content.map(textOfBlock) : [];
  if (blocks.length === 0 && structuredContent !== undefined) {
    return JSON.stringify(structuredContent, null, 2);
  }
  return blocks.join('\n');
}

/** After its words were printed. */
export function toolFailed(): CliFailure {
  return new CliFailure('The tool says that it failed; its words are above.', 1, { code: 'tool_failed' });
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
