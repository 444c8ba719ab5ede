/** Grammar of the names that people choose (contract section 4). Never `__` or an edge `_` in a server name. */

const serverName = /^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$/;
const groupName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export const longestServerName = 30;

/** Some clients drop tools whose full name is longer; registering one is allowed, with a warning. */
export const longestToolNameForAllClients = 60;

/** What a name may be, for sentences: "a server name (…)". */
export const serverNameRule = `letters and digits, with single \`.\`, \`_\` or \`-\` between them, at most ${longestServerName} characters`;

export function isServerName(name: string): boolean {
  return name.length <= longestServerName && serverName.test(name);
}

export function isGroupName(name: string): boolean {
  return groupName.test(name) && !name.includes('..');
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
