import { judgeTool } from '../definitions/judge-tool.ts';
import type { LeftOutTool, ListedTool, StoredServer, StoredTool } from './catalog.ts';
import { fullToolName } from './names.ts';
import { descriptionIn } from './tool-definition.ts';

/** What is known of a listed tool before its definition is judged. */
export type ToolFacts = ListedTool & Pick<StoredTool, 'hash' | 'firstListedAt'>;

export type JudgedTools = Pick<StoredServer, 'tools' | 'leftOut' | 'listed' | 'problems'>;

/** The tools of a server as agents get them, and what is wrong with them. */
export function judgeTools(
  server: string,
  listed: readonly ToolFacts[],
  listingProblems: readonly string[] = [],
): JudgedTools {
  const tools: StoredTool[] = [];
  const leftOut: LeftOutTool[] = [];
  const problems = [...listingProblems];
  for (const { name, definition, hash, firstListedAt } of listed) {
    const judgement = judgeTool(definition);
    problems.push(...judgement.problems);
    const fullName = fullToolName(server, name);
    if (judgement.leftOut) leftOut.push({ fullName, why: judgement.problems[0] ?? '' });
    else {
      const { shown } = judgement;
      const description = descriptionIn(shown);
      tools.push({ server, name, fullName, definition, shown, hash, description, firstListedAt });
    }
  }
  return { tools, leftOut, listed: leftOut.length === 0 ? tools : listed, problems };
}
