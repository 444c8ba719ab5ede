import type { ListedTool } from '../catalog/catalog.ts';
import { pathOf } from '../mcp/gateway-path.ts';
import { memberText } from '../mcp/raw-json.ts';
import type { Log } from '../observe/log.ts';
import { listPages } from './list-pages.ts';
import type { Multiplexer } from './multiplexer.ts';
import { unavailable } from './upstream-failures.ts';

/**
 * All tools of a server, each definition as raw text, exactly as listed. Tools that cannot be addressed (no name, or
 * a name that an earlier tool has) are left out with a log line.
 */
export interface ListingOptions {
  readonly server: string;
  /** How long one page may take, ms. */
  readonly waitMs: number;
  /** Our own; empty: it is not known. */
  readonly gatewayId: string;
  readonly log: Log;
}

export async function listTools(
  multiplexer: Multiplexer,
  options: ListingOptions,
): Promise<readonly ListedTool[]> {
  const { server, waitMs, gatewayId } = options;
  const definitions = await listPages(multiplexer, { server, waitMs, method: 'tools/list', member: 'tools' });
  if (definitions === undefined) throw unavailable(server, 'it refused to list its tools');
  if (gatewayId !== '' && definitions.some((definition) => pathOf(definition).includes(gatewayId))) {
    throw unavailable(server, 'it leads back to this gateway, whose own tools are among those that it lists');
  }
  return toTools(definitions, options);
}

function toTools(definitions: readonly string[], { server, log }: ListingOptions): readonly ListedTool[] {
  const tools = new Map<string, ListedTool>();
  for (const definition of definitions) {
    const name: unknown = JSON.parse(memberText(definition, 'name') ?? 'null');
    if (typeof name !== 'string' || name === '') {
      log.warn({ server }, 'A tool without a name was left out.');
    } else if (tools.has(name)) {
      log.warn({ server, tool: name }, 'A tool was left out, because an earlier one has the same name.');
    } else {
      tools.set(name, { name, definition });
    }
  }
  return [...tools.values()];
}
