import type { ListedTool } from '../catalog/catalog.ts';
import { elementsOf, memberText } from '../mcp/raw-json.ts';
import type { Log } from '../observe/log.ts';
import type { Multiplexer } from './multiplexer.ts';
import { unavailable } from './upstream-failures.ts';

/**
 * All tools of a server, over all pages (mcp-spec rule 33), each definition as raw text, exactly as listed.
 * Bounded, because a server that pages for ever must not take the gateway with it. Tools that cannot be
 * addressed (no name, or a name that an earlier tool has) are left out with a log line.
 */
export interface ListingOptions {
  readonly server: string;
  /** How long one page may take, ms. */
  readonly waitMs: number;
  readonly log: Log;
}

const mostPages = 200;
const mostTools = 10_000;

export async function listTools(
  multiplexer: Multiplexer,
  options: ListingOptions,
): Promise<readonly ListedTool[]> {
  const { server } = options;
  const definitions: string[] = [];
  const cursors = new Set<string>();
  let params = '{}';
  for (;;) {
    const page = await readPage(multiplexer, params, options);
    definitions.push(...page.definitions);
    if (definitions.length > mostTools) throw unavailable(server, `it lists more than ${mostTools} tools`);
    if (page.nextCursor === undefined) return toTools(definitions, options);
    if (cursors.has(page.nextCursor)) throw unavailable(server, 'its list of tools repeats a cursor');
    cursors.add(page.nextCursor);
    if (cursors.size >= mostPages) throw unavailable(server, `its list of tools has over ${mostPages} pages`);
    params = JSON.stringify({ cursor: page.nextCursor });
  }
}

interface Page {
  readonly definitions: readonly string[];
  readonly nextCursor: string | undefined;
}

async function readPage(multiplexer: Multiplexer, params: string, options: ListingOptions): Promise<Page> {
  const answer = await multiplexer.ask('tools/list', params, options.waitMs);
  if ('error' in answer) throw unavailable(options.server, 'it refused to list its tools');
  const tools = memberText(answer.result, 'tools');
  if (!tools?.startsWith('[')) throw unavailable(options.server, 'its list of tools is not a list');
  const cursor: unknown = JSON.parse(memberText(answer.result, 'nextCursor') ?? 'null');
  return {
    definitions: elementsOf(tools).map(({ start, end }) => tools.slice(start, end)),
    nextCursor: typeof cursor === 'string' ? cursor : undefined,
  };
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
