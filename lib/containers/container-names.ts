import { sha256 } from '../text/sha256.ts';

/** The names of containers (docs/decisions/0018): `svc-mcp-<server>`, for a session with a mark derived from its id. */
export async function containerName(server: string, sessionId: string | undefined): Promise<string> {
  const name = `svc-mcp-${server}`;
  if (sessionId === undefined) return name;
  const hash = await sha256(sessionId);
  return `${name}-${hash.slice(0, 8)}`;
}

/** The name of a container or volume whose usual name a foreign object has: with the deployment's short id. */
export function nameAside(name: string, deploymentId: string): string {
  return `${name}-${deploymentId.slice(0, 8)}`;
}

const spareMark = '--next-';

/** The temporary name of a server's new container, until the old container is gone. */
export function spareName(name: string): string {
  return `${name}${spareMark}${crypto.randomUUID().slice(0, 8)}`;
}

const retiredMark = '--old-';

/** The name of a replaced container until its successor has answered. */
export function retiredName(name: string): string {
  return `${name}${retiredMark}${crypto.randomUUID().slice(0, 8)}`;
}

export function isRetiredName(name: string): boolean {
  return name.includes(retiredMark);
}

const tryOutMark = '--try-';

/** The name of a temporary container beside the one that serves; its volumes carry the mark too. */
export function tryOutName(name: string): string {
  return `${name}${tryOutMark}${crypto.randomUUID().slice(0, 8)}`;
}

export function isTryOutName(name: string): boolean {
  return name.includes(tryOutMark);
}

/** No server's name collides with such a name: server names never have two separators side by side. */
export function isSpareName(name: string): boolean {
  return name.includes(spareMark);
}

/** Whether the name differs from the usual name of the server's container. */
export function hasOtherName(name: string): boolean {
  return isSpareName(name) || isRetiredName(name) || isTryOutName(name);
}

/** The names of volumes: `svc-mcp-<server>-<mark of the path inside>`, for a session with a mark of its id. */
export async function volumeName(
  server: string,
  sessionId: string | undefined,
  path: string,
): Promise<string> {
  const name = `svc-mcp-${server}-${await markOf(path)}`;
  return sessionId === undefined ? name : `${name}-${await markOf(sessionId)}`;
}

/** For the volumes of a temporary container, whose name is the prefix. */
export async function scratchVolumeName(container: string, path: string): Promise<string> {
  return `${container}-${await markOf(path)}`;
}

async function markOf(text: string): Promise<string> {
  return (await sha256(text)).slice(0, 8);
}
