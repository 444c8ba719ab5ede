import { yieldToEventLoop } from '../async/wait.ts';
import { judgeTool } from '../definitions/judge-tool.ts';
import { fullToolName } from '../names/names.ts';
import { quotedName, whyNotShown } from '../names/shown-names.ts';
import type { LeftOutTool, ListedTool, StoredServer, StoredTool, ToolListing } from './catalog.ts';

/** A definition with its hash, as it is stored. */
export type HashedTool = ListedTool & { readonly hash: string };

/** A tool as agents get it. */
export interface JudgedTool {
  /** Undefined: as the server has it. */
  readonly shown: string | undefined;
  readonly isLeftOut: boolean;
  readonly description: string;
  readonly problems: readonly string[];
}

/** Judges definitions: whether agents may get them, and in which form. Remembers its judgements by hash. */
export interface ToolJudge {
  judge(tool: HashedTool): JudgedTool;
  /** Judges many in turns that leave the event loop free; `judge` then answers from memory. */
  judgeAhead(tools: readonly HashedTool[]): Promise<void>;
}

/** Judgements of valid definitions hold no text but the description. */
const mostJudgements = 32_768;
/** Of all judgements: a server that lists other definitions each time must not fill the memory. */
const mostCharacters = 33_554_432;
/** In characters: some milliseconds of judging. */
const longestTurn = 65_536;

export function createToolJudge(): ToolJudge {
  const known = new Map<string, JudgedTool>();
  let characters = 0;

  function deleteOldest(): void {
    for (const [hash, judged] of known) {
      if (known.size <= mostJudgements && characters <= mostCharacters) return;
      known.delete(hash);
      characters -= lengthOf(judged);
    }
  }

  function judge({ hash, definition }: HashedTool): JudgedTool {
    const before = known.get(hash);
    if (before) return before;
    const judged = judgeAnew(definition);
    known.set(hash, judged);
    characters += lengthOf(judged);
    deleteOldest();
    return judged;
  }

  return {
    judge,
    async judgeAhead(tools) {
      let length = 0;
      for (const tool of tools) {
        if (known.has(tool.hash)) continue;
        judge(tool);
        length += tool.definition.length;
        if (length < longestTurn) continue;
        length = 0;
        await yieldToEventLoop();
      }
    },
  };
}

function judgeAnew(definition: string): JudgedTool {
  const judgement = judgeTool(definition);
  const { problems } = judgement;
  if (judgement.leftOut) return { shown: undefined, isLeftOut: true, description: '', problems };
  const shown = judgement.shown === definition ? undefined : judgement.shown;
  return { shown, isLeftOut: false, description: descriptionIn(judgement.shown), problems };
}

function lengthOf({ shown = '', description, problems }: JudgedTool): number {
  return problems.reduce((sum, problem) => sum + problem.length, shown.length + description.length);
}

/** Empty when the server gave none. */
function descriptionIn(definition: string): string {
  const { description } = JSON.parse(definition) as { description?: unknown };
  return typeof description === 'string' ? description : '';
}

/** A listed tool before its definition is judged. */
export type ToolFacts = HashedTool & Pick<StoredTool, 'firstListedAt'>;

export type JudgedTools = Pick<StoredServer, 'tools' | 'leftOut' | 'listed' | 'problems'>;

export const noTools: JudgedTools = { tools: [], leftOut: [], listed: [], problems: [] };

/**
 * The tools of a server as agents get them, and what is wrong with them.
 * @param listingProblems Of the tools that are not in `listed`.
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
