import { readFileSync } from 'node:fs';

/**
 * How many connections the service may hold with the file descriptors that the system gives it (`ulimit -n`). A
 * quarter of them stays for the rest: files, the database, connections to servers, and three for each child process.
 */
const mostEver = 10_000;
const shareOfConnections = 0.75;

export function mostConnections(): number {
  return Math.min(mostEver, Math.floor(shareOfConnections * mostDescriptors()));
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
