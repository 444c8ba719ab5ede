import type { Socket } from 'node:net';
import { Failure } from '../../failure.ts';
import { peerOf } from '../../http/node-peers.ts';
import { answerUnderWay } from './node-answer-under-way.ts';

/**
 * Limits connections in all, since each costs a file descriptor that the database, files and servers need too, and per
 * peer, so that no client uses up the connections of the others. At a limit an idle connection is ended for each new one:
 * first those that were never answered, oldest first, so that clients that send half a request, however many, cannot block
 * a port. Connections with a request under way are never ended.
 */
export interface ConnectionLimits {
  /** Counts the connection until it closes. @returns why the connection must be refused instead. */
  admit(connection: Socket): Failure | undefined;
}

export interface ConnectionLimitOptions {
  readonly most: number;
  readonly mostPerPeer: number;
  /** Proxies, which carry the requests of many clients, have no limit per peer. */
  readonly isExempt: (address: string) => boolean;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

interface Pool {
  readonly most: number;
  readonly connections: Set<Socket>;
  /** Connections that may be ended, from the last scan: the newest first, all with the same `idleness`. */
  idle: Socket[];
  idleness: Idleness;
  /** No scan before that: the last one found no idle connection. */
  scanAfter: number;
}

/** Of one scan, so that a flood of new connections does not scan all connections for each of them. */
const mostFound = 256;
const scanAgainMs = 100;
const retryAfter = { 'Retry-After': '2' };

export function createConnectionLimits(options: ConnectionLimitOptions): ConnectionLimits {
  const { most, mostPerPeer, isExempt, now } = options;
  const all = createPool(most);
  const peers = new Map<string, Pool>();

  function remove(connection: Socket, peer: string | undefined): void {
    all.connections.delete(connection);
    if (peer === undefined) return;
    const pool = peers.get(peer);
    pool?.connections.delete(connection);
    if (pool?.connections.size === 0) peers.delete(peer);
  }

  function hasRoom(pool: Pool): boolean {
    if (pool.connections.size < pool.most) return true;
    const ended = takeIdle(pool, now());
    if (ended === undefined) return false;
    // `close` comes later, and until then the connection must not be counted or chosen again.
    remove(ended, peerNameOf(ended));
    ended.destroy();
    return true;
  }

  function peerNameOf({ remoteAddress }: Socket): string | undefined {
    return remoteAddress === undefined || isExempt(remoteAddress) ? undefined : peerOf(remoteAddress);
  }

  return {
    admit(connection) {
      const name = peerNameOf(connection);
      const peer = name === undefined ? undefined : (peers.get(name) ?? createPool(mostPerPeer));
      if (peer && !hasRoom(peer)) return tooManyOfPeer(mostPerPeer);
      if (!hasRoom(all)) return tooMany(most);
      all.connections.add(connection);
      peer?.connections.add(connection);
      // Only now: making room may have ended the last connection of this peer, and removed its pool.
      if (name !== undefined && peer) peers.set(name, peer);
      connection.once('close', () => remove(connection, name));
      return undefined;
    },
  };
}

function createPool(most: number): Pool {
  return { most, connections: new Set(), idle: [], idleness: 0, scanAfter: Number.NEGATIVE_INFINITY };
}

/** The next connection to end; undefined when all have a request under way. */
function takeIdle(pool: Pool, at: number): Socket | undefined {
  for (let scans = 0; scans < 2; scans += 1) {
    for (let next = pool.idle.pop(); next !== undefined; next = pool.idle.pop()) {
      // A connection that was answered since the scan comes after others.
      if (pool.connections.has(next) && idlenessOf(next) === pool.idleness) return next;
    }
    if (at < pool.scanAfter) return undefined;
    findIdle(pool);
    if (pool.idle.length === 0) pool.scanAfter = at + scanAgainMs;
  }
  return undefined;
}

function findIdle(pool: Pool): void {
  const kinds: Record<Idleness, Socket[]> = { 0: [], 1: [], 2: [] };
  for (const connection of pool.connections) {
    const idleness = idlenessOf(connection);
    if (idleness !== undefined && kinds[idleness].length < mostFound) kinds[idleness].push(connection);
    if (kinds[0].length === mostFound) break;
  }
  pool.idleness = ([0, 1, 2] as const).find((idleness) => kinds[idleness].length > 0) ?? 0;
  pool.idle = kinds[pool.idleness].reverse();
}

/** 0: no complete request so far; 1: the body of the request is still to come; 2: kept alive. */
type Idleness = 0 | 1 | 2;

function idlenessOf(connection: Socket): Idleness | undefined {
  const answer = answerUnderWay(connection);
  if (answer) return answer.req.complete ? undefined : 1;
  return connection.bytesWritten === 0 ? 0 : 2;
}

function tooManyOfPeer(most: number): Failure {
  const sentence = `There are ${most} connections from your address already; use those, or see MAX_CONNECTIONS_PER_PEER.`;
  return new Failure('too_many_requests', sentence, { headers: retryAfter });
}

function tooMany(most: number): Failure {
  const sentence = `All ${most} connections of this service are in use; try again shortly.`;
  return new Failure('too_many_requests', sentence, { status: 503, headers: retryAfter });
}
