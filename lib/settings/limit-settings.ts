import { isNetwork } from '../text/network-syntax.ts';
import type { SettingReader } from './setting-reader.ts';

/** The settings that bound the resources that clients may use (SECURITY.md, Limits). */
export interface LimitSettings {
  readonly maxCallsPerSession: number;
  readonly sessionTtlSeconds: number;
  /** Lifetime of a session without a request after `initialize`. */
  readonly unusedSessionSeconds: number;
  /** Of all processes on the database together. */
  readonly maxSessions: number;
  readonly maxConnectionsPerPeer: number;
  /** Addresses and networks to which the limit per peer does not apply. */
  readonly trustedProxies: readonly string[];
  readonly callTimeoutMs: number;
  /** How long active calls may take after the process got the signal to end. */
  readonly shutdownSeconds: number;
  /** How long everything is still served after that signal, while readiness says 503. */
  readonly drainSeconds: number;
  readonly maxBodyBytes: number;
}

/** @throws SettingError */
export function readLimits(read: SettingReader): LimitSettings {
  return {
    maxCallsPerSession: read.integer('MAX_CALLS_PER_SESSION', 256, 1, 100_000),
    sessionTtlSeconds: read.integer('SESSION_TTL_SECONDS', 86_400, 1, 31_536_000),
    unusedSessionSeconds: read.integer('UNUSED_SESSION_SECONDS', 600, 1, 31_536_000),
    maxSessions: read.integer('MAX_SESSIONS', 10_000, 1, 10_000_000),
    // All agents on this machine are one peer: a fifth of all connections is far more than they need.
    maxConnectionsPerPeer: read.integer('MAX_CONNECTIONS_PER_PEER', 2_048, 1, 1_000_000),
    trustedProxies: read.checkedList(
      'TRUSTED_PROXIES',
      isNetwork,
      'IP addresses or networks, such as 10.0.0.2 or 10.0.0.0/24',
    ),
    callTimeoutMs: read.integer('CALL_TIMEOUT_MS', 60_000, 100, 86_400_000),
    shutdownSeconds: read.integer('SHUTDOWN_SECONDS', 8, 0, 86_400),
    drainSeconds: read.integer('DRAIN_SECONDS', 0, 0, 3_600),
    maxBodyBytes: read.integer('MAX_BODY_BYTES', 4_194_304, 1_024, 268_435_456),
  };
}
