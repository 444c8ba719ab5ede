import { sha256 } from '../text/sha256.ts';

/** How containers are called (contract section 3): `svc-mcp-<server>`, for a session with a mark of its id. */
export async function containerName(server: string, sessionId: string | undefined): Promise<string> {
  const name = `svc-mcp-${server}`;
  if (sessionId === undefined) return name;
  const hash = await sha256(sessionId);
  return `${name}-${hash.slice(0, 8)}`;
}

/**
 * The name where something on the engine that is not of this deployment has that one, for containers and volumes: with the
 * deployment's short id.
 */
export function nameAside(name: string, deploymentId: string): string {
  return `${name}-${deploymentId.slice(0, 8)}`;
}

const spareMark = '--next-';

/** For the second container while a server is replaced; it gets the proper name once the first is gone. */
export function spareName(name: string): string {
  return `${name}${spareMark}${crypto.randomUUID().slice(0, 8)}`;
}

const retiredMark = '--old-';

/** For the container that was replaced, until the one in its place has answered. */
export function retiredName(name: string): string {
  return `${name}${retiredMark}${crypto.randomUUID().slice(0, 8)}`;
}

export function isRetiredName(name: string): boolean {
  return name.includes(retiredMark);
}

const tryOutMark = '--try-';

/** For a container beside the one that serves, thrown away afterwards; its volumes carry the mark too. */
export function tryOutName(name: string): string {
  return `${name}${tryOutMark}${crypto.randomUUID().slice(0, 8)}`;
}

export function isTryOutName(name: string): boolean {
  return name.includes(tryOutMark);
}

/** No server's name leads to such a name: it never has two separators side by side. */
export function isSpareName(name: string): boolean {
  return name.includes(spareMark);
}

/** Another name than the one that its server's container is known by. */
export function hasOtherName(name: string): boolean {
  return isSpareName(name) || isRetiredName(name) || isTryOutName(name);
}

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
