/**
 * Names that servers chose, as agents may see them. MCP (2025-11-25, server/tools, Tool Names) wants 1 to 128 of
 * `A-Za-z0-9_.-`; clients cope with other letters and with spaces, but drop the whole list over longer names and over
 * line breaks, and invisible characters make one name look like another.
 */
export const longestShownName = 128;

/** Line breaks, controls, direction marks, joiners and the like. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const allUnseen = new RegExp(unseen, 'gu');
const longestQuoted = 60;

/** Why agents cannot be shown a tool or prompt of this name, without the server's in front; continues "its name …". */
export function whyNotShown(name: string, longest = longestShownName): string | undefined {
  if (name.length > longest) return `is longer than ${longest} characters`;
  return unseen.test(name) ? 'has line breaks or other characters that cannot be seen' : undefined;
}

/** The name in quotes, shortened, with invisible characters escaped. */
export function quotedName(name: string): string {
  const short = name.length > longestQuoted ? `${name.slice(0, longestQuoted)}…` : name;
  return `"${short.replace(allUnseen, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)}"`;
}

/** @param why Continues "its name …", or "its <key> …". */
export function leftOutName(kind: string, name: string, why: string, key = 'name'): string {
  return `The ${kind} ${quotedName(name)} was left out: its ${key} ${why}.`;
}

export function leftOutNameless(kind: string, key: string, count: number): string {
  return count === 1
    ? `A ${kind} without a ${key} was left out.`
    : `${count} ${kind}s without a ${key} were left out.`;
}
