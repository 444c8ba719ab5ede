import { longestToolNameForAllClients } from '../../names/names.ts';
import { hasTakenCharacters, nameProblem, readableName } from '../../names/provider-names.ts';
import type { Group } from '../groups.ts';

/** Advice for a tool whose visible name some model provider or client refuses. */
export interface NameAdvice {
  /** In a sentence. */
  readonly problem: string;
  /** The length is all that is wrong with the name. */
  readonly isLong: boolean;
  /** For `exposed_names`: accepted everywhere, and unique in the group, also when its servers offer more tools later. */
  readonly suggestion: string;
}

export interface NamedTool {
  readonly fullName: string;
  /** Without the server's prefix. */
  readonly name: string;
}

/**
 * Suggestions depend neither on an order nor on the suggestions that were accepted: of several names with the same
 * readable form each gets a mark of its own.
 * @param tools All tools of all servers.
 */
export function createNameAdvice(
  { exposedNames }: Pick<Group, 'exposedNames'>,
  tools: readonly NamedTool[],
): (tool: NamedTool) => NameAdvice | undefined {
  const taken = new Set(exposedNames.values());
  let sharedNames: ReadonlySet<string> | undefined;

  const visibleName = ({ fullName }: NamedTool) => exposedNames.get(fullName) ?? fullName;

  function problemOf({ fullName, name }: NamedTool): string | undefined {
    const given = exposedNames.get(fullName);
    return nameProblem(given ?? fullName, given ?? name);
  }

  /** Also for a tool that has a problem only without its exposed name. */
  function needsName(tool: NamedTool): boolean {
    return (problemOf(tool) ?? nameProblem(tool.fullName, tool.name)) !== undefined;
  }

  function suggestionFor(tool: NamedTool): string {
    sharedNames ??= repeated(tools.filter(needsName).map(readable));
    const plain = readable(tool);
    let suggestion = sharedNames.has(plain) ? '' : plain;
    for (let turn = 0; suggestion === '' || taken.has(suggestion); turn += 1) {
      suggestion = marked(plain, `${tool.fullName}${turn === 0 ? '' : turn}`);
    }
    return suggestion;
  }

  /** From the visible name, which a person may have chosen; for a tool without any letter from the server's name. */
  function readable({ fullName, name }: NamedTool): string {
    const given = exposedNames.get(fullName);
    if (given !== undefined && nameProblem(given, given) !== undefined) return readableName(given);
    return readableName(readableName(name) === '' ? `${fullName}_tool` : fullName);
  }

  return (tool) => {
    const problem = problemOf(tool);
    if (problem === undefined) return undefined;
    return { problem, isLong: hasTakenCharacters(visibleName(tool)), suggestion: suggestionFor(tool) };
  };
}

function repeated(names: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(names.filter((name) => seen.has(name) || !seen.add(name)));
}

const markLength = 6;

function marked(name: string, text: string): string {
  const room = longestToolNameForAllClients - markLength - 1;
  return `${readableName(name, room) || 'tool'}_${shortHash(text)}`;
}

/** FNV-1a in base 36: stable and short, not a secret. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(36).padStart(markLength, '0').slice(-markLength);
}
