/**
 * The server in a full tool name. Unique, because server names never contain `__` nor end in `_`. A name
 * without `__`, which only a person can have written, is taken as the name of a server.
 */
export function serverOf(fullName: string): string {
  const end = fullName.indexOf('__');
  return end < 0 ? fullName : fullName.slice(0, end);
}
