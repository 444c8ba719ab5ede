import type { ListedTool } from '../catalog/catalog.ts';
import { quotedName, whyNotShown } from '../catalog/shown-names.ts';
import { pathOf } from '../mcp/gateway-path.ts';
import { memberText } from '../mcp/raw-json.ts';
import type { Log } from '../observe/log.ts';
import { listPages } from './list-pages.ts';
import type { Multiplexer } from './multiplexer.ts';
import { unavailable } from './upstream-failures.ts';

/**
 * All tools of a server, each definition as raw text, exactly as listed. Tools that cannot be addressed (no name, one
 * that an earlier tool has, or one too long to be kept) are left out, with a log line for each reason. Those whose
 * names agents cannot be shown are kept, since a group can give them others.
 */
export interface ListingOptions {
  readonly server: string;
  /** How long one page may take, ms. */
  readonly waitMs: number;
  /** Our own; empty while it is not known. */
  readonly gatewayId: string;
  readonly log: Log;
}

export async function listTools(
  multiplexer: Pick<Multiplexer, 'ask'>,
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

/** Characters. The database finds tools by their names, and its index takes no longer ones. */
const longestKeptName = 512;
const mostNamesInLog = 5;

const reasons = ['nameless', 'taken', 'tooLong', 'unshown'] as const;
type Reason = (typeof reasons)[number];

const sentences: Readonly<Record<Reason, string>> = {
  nameless: 'A tool without a name was left out.',
  taken: 'A tool was left out, because an earlier one has the same name.',
  tooLong: `A tool was left out, because its name is longer than ${longestKeptName} characters.`,
  unshown:
    'Agents do not see a tool, because its name is too long or has characters that cannot be seen; `exposed_names` of a group can give it another.',
};

function toTools(definitions: readonly string[], { server, log }: ListingOptions): readonly ListedTool[] {
  const tools = new Map<string, ListedTool>();
  const names: Record<Reason, string[]> = { nameless: [], taken: [], tooLong: [], unshown: [] };
  for (const definition of definitions) {
    const name: unknown = JSON.parse(memberText(definition, 'name') ?? 'null');
    if (typeof name !== 'string' || name === '') names.nameless.push('');
    else if (name.length > longestKeptName) names.tooLong.push(name);
    else if (tools.has(name)) names.taken.push(name);
    else {
      tools.set(name, { name, definition });
      if (whyNotShown(name) !== undefined) names.unshown.push(name);
    }
  }
  for (const reason of reasons) {
    const count = names[reason].length;
    const quoted = names[reason].slice(0, mostNamesInLog).map(quotedName);
    if (count > 0) log.warn({ server, tools: quoted.join(', '), count }, sentences[reason]);
  }
  return [...tools.values()];
}
