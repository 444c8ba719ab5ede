import { readFileSync } from 'node:fs';

/**
 * The share of the file descriptors (`ulimit -n`) that client connections may use. A quarter stays free for files,
 * connections to servers, child processes (three each) and the embedded database (more than a hundred), and no fewer than
 * `freeAtLeast` as long as that leaves a quarter for connections.
 */
const mostEver = 10_000;
const shareOfConnections = 0.75;
const freeAtLeast = 256;

export function mostConnections(descriptors = mostDescriptors()): number {
  const beside = Math.max(descriptors - freeAtLeast, descriptors / 4);
  return Math.min(mostEver, Math.floor(Math.min(shareOfConnections * descriptors, beside)));
}

/** Infinite where this file does not exist: `mostEver` is the limit there. Node raises the soft limit when it starts. */
function mostDescriptors(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
