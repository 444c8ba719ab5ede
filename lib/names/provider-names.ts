import { longestToolNameForAllClients } from './names.ts';
import { quotedName, whyNotShown } from './shown-names.ts';

/**
 * Names of tools as agents see them, by the rule of the big model providers: 1 to 64 of `a-zA-Z0-9_-`. One name that breaks
 * it makes some clients' whole request fail, tools of other servers included.
 */
export const providerNamePattern = /^[a-zA-Z0-9_-]{1,64}$/;
const otherCharacter = /[^a-zA-Z0-9_-]/u;
const longest = 64;
const mostQuoted = 3;

export function isProviderName(name: string): boolean {
  return providerNamePattern.test(name);
}

/**
 * The problem of the name that agents see, in a sentence about the tool; undefined when every provider and client takes it.
 * @param own The name that decides whether agents see the tool at all: without the server's name in front, unless it was given.
 */
export function nameProblem(visible: string, own: string): string | undefined {
  const unseen = whyNotShown(own);
  if (unseen !== undefined) return `Agents do not see it: its name ${unseen}.`;
  if (!isProviderName(visible))
    return `Model providers refuse its name because of ${refusedCharacters(visible)}.`;
  if (visible.length <= longestToolNameForAllClients) return undefined;
  return `Some clients drop it: its name is longer than ${longestToolNameForAllClients} characters.`;
}

/** Whether all of its characters are taken everywhere, and only the length may not be. */
export function hasTakenCharacters(name: string): boolean {
  return !otherCharacter.test(name);
}

function refusedCharacters(name: string): string {
  const others = [...new Set(name.match(new RegExp(otherCharacter, 'gu')))];
  if (others.length === 0) return `its ${name.length} characters: ${longest} are the most`;
  const quoted = others.slice(0, mostQuoted).map(quotedName).join(', ');
  const more = others.length > mostQuoted ? ' and others' : '';
  return `${quoted}${more}: they take letters, digits, "_" and "-"`;
}

/**
 * The name in the characters that all providers take, at most `mostCharacters` long; other names may give the same
 * result. The result never holds `__`, so that it is no tool's full name, now or later, and may be empty.
 */
export function readableName(name: string, mostCharacters = longestToolNameForAllClients): string {
  const plain = name.normalize('NFKD').replace(/\p{M}+/gu, '');
  const joined = plain.replace(/[^a-zA-Z0-9-]+/g, '_').replace(/^[_-]+/, '');
  return joined.slice(0, mostCharacters).replace(/[_-]+$/, '');
}
