/** Grammar of the names that people choose (docs/api.md, Names). Never `__` or an edge `_` in a server name. */

/** Besides the length. */
export const serverNamePattern = /^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$/;
/** Besides the length. Browsers read it with the flag `v`, by which a dash does not stand in a class. */
export const groupNamePattern = /^[A-Za-z0-9](?:\.?(?:[A-Za-z0-9_]|-))*\.?$/;

export const longestServerName = 30;
export const longestGroupName = 64;

/** Some clients drop tools whose full name is longer; registering one is allowed, with a warning. */
export const longestToolNameForAllClients = 60;

/** The rule of server names, for sentences: "a server name (…)". */
export const serverNameRule = `letters and digits, with single \`.\`, \`_\` or \`-\` between them, at most ${longestServerName} characters`;

export function isServerName(name: string): boolean {
  return name.length <= longestServerName && serverNamePattern.test(name);
}

export function isGroupName(name: string): boolean {
  return name.length <= longestGroupName && groupNamePattern.test(name);
}

export function fullToolName(server: string, tool: string): string {
  return `${server}__${tool}`;
}

/**
 * The server in a full tool name. Unique, because server names never contain `__` nor end in `_`. A name
 * without `__`, which only a person can have written, is taken as the name of a server.
 */
export function serverOf(fullName: string): string {
  const end = fullName.indexOf('__');
  return end < 0 ? fullName : fullName.slice(0, end);
}
