import { yieldToEventLoop } from '../async/wait.ts';
import { judgeTool } from '../definitions/judge-tool.ts';
import type { ListedTool } from './catalog.ts';
import { descriptionIn } from './tool-definition.ts';

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

/** Judges definitions, each text once as long as it is remembered. */
export interface ToolJudge {
  judge(tool: HashedTool): JudgedTool;
  /** Judges many without holding anybody else up; what follows is quick. */
  judgeAhead(tools: readonly HashedTool[]): Promise<void>;
}

/** Judgements of lawful definitions hold no text but the description. */
const mostRemembered = 32_768;
/** Of all that they hold: a server that lists other definitions each time must not fill the memory with them. */
const mostCharacters = 33_554_432;
/** Of judging, in characters: some milliseconds. */
const longestTurn = 65_536;

export function createToolJudge(): ToolJudge {
  const known = new Map<string, JudgedTool>();
  let characters = 0;

  function forgetOldest(): void {
    for (const [hash, judged] of known) {
      if (known.size <= mostRemembered && characters <= mostCharacters) return;
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
    forgetOldest();
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
