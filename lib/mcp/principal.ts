import { sha256 } from '../text/sha256.ts';

/**
 * Who opened a stream: a digest of the credential that came with the request, salted with the session, or '' where
 * none came. Knowing a session's id is then not enough to be given what was sent to another (mcp-spec section 6, 3).
 */
export function principalOf(authorization: string | null, sessionId: string): string | Promise<string> {
  return authorization === null || authorization === '' ? '' : sha256(`${sessionId} ${authorization}`);
}
