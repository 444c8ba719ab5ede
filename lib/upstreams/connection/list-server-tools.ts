import type { ListedTool, ToolListing } from '../../catalog/catalog.ts';
import { withProblems } from '../../catalog/tool-judge.ts';
import { memberText } from '../../json/raw-json.ts';
import { pathOf } from '../../json-rpc/gateway-path.ts';
import { leftOutName, leftOutNameless } from '../../names/shown-names.ts';
import type { Multiplexer } from '../multiplexer/multiplexer.ts';
import { unavailable } from '../upstream-failures.ts';
import { listPages } from './list-pages.ts';

/**
 * All tools of a server, each definition as raw text, exactly as listed. Tools that cannot be addressed (no name, one
 * that an earlier tool has, or one too long to be kept) are left out, and told of. Those whose names agents cannot be shown
 * are kept, since a group can give them others.
 */
export interface ListingOptions {
  readonly server: string;
  /** How long one page may take, ms. */
  readonly waitMs: number;
  /** Our own; empty while it is not known. */
  readonly gatewayId: string;
}

export async function listServerTools(
  multiplexer: Pick<Multiplexer, 'ask'>,
  options: ListingOptions,
): Promise<ToolListing> {
  const { server, waitMs, gatewayId } = options;
  const definitions = await listPages(multiplexer, { server, waitMs, method: 'tools/list', member: 'tools' });
  if (definitions === undefined) throw unavailable(server, 'it refused to list its tools');
  if (gatewayId !== '' && definitions.some((definition) => pathOf(definition).includes(gatewayId))) {
    throw unavailable(server, 'it leads back to this gateway, whose own tools are among those that it lists');
  }
  return toTools(definitions);
}

/** Characters. The database finds tools by their names, and its index takes no longer ones. */
const longestKeptName = 512;

function toTools(definitions: readonly string[]): ToolListing {
  const tools = new Map<string, ListedTool>();
  const problems: string[] = [];
  const leaveOut = (name: string, why: string) => void problems.push(leftOutName('tool', name, why));
  let nameless = 0;
  for (const definition of definitions) {
    const name: unknown = JSON.parse(memberText(definition, 'name') ?? 'null');
    if (typeof name !== 'string' || name === '') nameless++;
    else if (name.length > longestKeptName) leaveOut(name, `is longer than ${longestKeptName} characters`);
    else if (tools.has(name)) leaveOut(name, 'is that of an earlier one');
    else tools.set(name, { name, definition });
  }
  if (nameless > 0) problems.unshift(leftOutNameless('tool', 'name', nameless));
  return withProblems([...tools.values()], problems);
}
