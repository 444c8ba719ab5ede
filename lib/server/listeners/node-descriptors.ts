import { readFileSync } from 'node:fs';

/**
 * How many connections the service may hold with the file descriptors that the system gives it (`ulimit -n`). The rest of
 * them is for files, connections to servers, three for each child process, and the embedded database, which alone holds
 * more than a hundred: a quarter, and no fewer than `keptAtLeast` while that leaves a quarter for connections.
 */
const mostEver = 10_000;
const shareOfConnections = 0.75;
const keptAtLeast = 256;

export function mostConnections(descriptors = mostDescriptors()): number {
  const beside = Math.max(descriptors - keptAtLeast, descriptors / 4);
  return Math.min(mostEver, Math.floor(Math.min(shareOfConnections * descriptors, beside)));
}

/** Systems without this file get by with what `mostEver` says. Node raises the limit as far as it may when it starts. */
function mostDescriptors(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
