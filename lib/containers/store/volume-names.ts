import { sha256 } from '../../text/sha256.ts';

/** How volumes are called: `svc-mcp-<server>-<mark of the path inside>`, a session's with a mark of its id. */
export async function volumeName(
  server: string,
  sessionId: string | undefined,
  path: string,
): Promise<string> {
  const name = `svc-mcp-${server}-${await markOf(path)}`;
  return sessionId === undefined ? name : `${name}-${await markOf(sessionId)}`;
}

/** Of a container that is thrown away, whose name this begins with. */
export async function scratchVolumeName(container: string, path: string): Promise<string> {
  return `${container}-${await markOf(path)}`;
}

async function markOf(text: string): Promise<string> {
  return (await sha256(text)).slice(0, 8);
}
