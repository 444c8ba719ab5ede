import { existsSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Whether this process runs in a container that an engine started, so that it reaches other containers over a network
 * of theirs. Told without asking the engine, which may not be up yet: by Docker's mark, and by the host name that it
 * gives. One that was given another name reaches HTTP servers through ports published on its host's loopback.
 */
export function runsInContainer(): boolean {
  return existsSync('/.dockerenv') && /^[0-9a-f]{12}$/.test(hostname());
}

/** Engines give a container its short id as host name unless told otherwise. */
export function ownContainerName(): string {
  return hostname();
}
