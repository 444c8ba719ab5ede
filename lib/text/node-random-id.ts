import { randomBytes } from 'node:crypto';

/** 24 random bytes as 32 characters of `[A-Za-z0-9_-]` (2025-11-25 basic/transports: secure, visible ASCII). */
export function newSessionId(): string {
  return randomBytes(24).toString('base64url');
}

/** Part of the names of networks and labels, so in characters that fit anywhere. */
export function newDeploymentId(): string {
  return randomBytes(6).toString('hex');
}
