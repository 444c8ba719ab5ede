/** Revisions with an `initialize` handshake, oldest first. They share one envelope (docs/protocol.md, rules 16, 17). */
export const protocolVersions = [
  '2024-10-07',
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
] as const;

export const latestProtocolVersion = '2025-11-25';

/** The only revision in which a body may be an array (2025-03-26 basic, Batching). */
export const batchingVersion = '2025-03-26';

/** From it on, clients take an event without data (2025-11-25 basic/transports, Sending Messages 6; SEP-1699). */
export const firstVersionWithPriming = '2025-11-25';

export const knownVersions: ReadonlySet<string> = new Set(protocolVersions);

/**
 * The version to answer `initialize` with: the requested one, else our latest; never an error
 * (docs/protocol.md, rule 16).
 */
export function negotiateVersion(requested: string): string {
  return knownVersions.has(requested) ? requested : latestProtocolVersion;
}
