import { fullToolName } from '../names/names.ts';
import { quotedName, whyNotShown } from '../names/shown-names.ts';
import type { LeftOutTool, StoredServer, StoredTool, ToolListing } from './catalog.ts';
import type { HashedTool, ToolJudge } from './tool-judge.ts';

/** What is known of a listed tool before its definition is judged. */
export type ToolFacts = HashedTool & Pick<StoredTool, 'firstListedAt'>;

export type JudgedTools = Pick<StoredServer, 'tools' | 'leftOut' | 'listed' | 'problems'>;

export const noTools: JudgedTools = { tools: [], leftOut: [], listed: [], problems: [] };

/**
 * The tools of a server as agents get them, and what is wrong with them.
 * @param listingProblems Of those that were not taken into the list at all.
 */
export function judgeTools(
  server: string,
  listed: readonly ToolFacts[],
  { judge }: ToolJudge,
  listingProblems: readonly string[] = [],
): JudgedTools {
  const tools: StoredTool[] = [];
  const leftOut: LeftOutTool[] = [];
  const problems = [...listingProblems];
  for (const facts of listed) {
    const { name, definition, hash, firstListedAt } = facts;
    const { shown = definition, description, isLeftOut, problems: found } = judge(facts);
    problems.push(...found, ...unshownName(name));
    const fullName = fullToolName(server, name);
    if (isLeftOut) leftOut.push({ fullName, why: found.join(' ') });
    else tools.push({ server, name, fullName, definition, shown, hash, description, firstListedAt });
  }
  const all = leftOut.length === 0 ? tools : listed;
  return { tools, leftOut, listed: withProblems(all, listingProblems), problems };
}

export function withProblems(
  tools: readonly (StoredTool | ToolFacts | ToolListing[number])[],
  problems: readonly string[],
): ToolListing {
  return problems.length === 0 ? tools : Object.assign([...tools], { problems });
}

function unshownName(name: string): string[] {
  const reason = whyNotShown(name);
  if (reason === undefined) return [];
  const remedy = '`exposed_names` of a group can give it another.';
  return [`Agents do not see the tool ${quotedName(name)}: its name ${reason}. ${remedy}`];
}
