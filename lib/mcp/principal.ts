/**
 * Who opened a stream: a digest of the credential that came with the request, salted with the session, or '' where
 * none came. Knowing a session's id is then not enough to be given what was sent to another (mcp-spec section 6, 3).
 */
export function principalOf(authorization: string | null, sessionId: string): string | Promise<string> {
  return authorization === null || authorization === '' ? '' : digest(`${sessionId} ${authorization}`);
}

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
