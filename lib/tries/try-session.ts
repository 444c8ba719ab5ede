/**
 * A try belongs to no session of an agent, yet servers keep what they keep by session: it has one of its own, which no
 * table knows and which ends with it.
 */
const prefix = 'try:';

export function trySessionId(id: string): string {
  return `${prefix}${id}`;
}

export function isTrySession(sessionId: string): boolean {
  return sessionId.startsWith(prefix);
}
