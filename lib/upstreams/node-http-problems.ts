import type { SendProblem } from './transport.ts';

/** Why there is no answer from a server over HTTP, in words that continue "the server is unavailable: …". */

export function sent(reason: string): SendProblem {
  return { reason, neverSent: false };
}

export function tooLong(bytes: number): SendProblem {
  return sent(`its answer is longer than ${bytes} bytes`);
}

export function statusReason(status: number): string {
  if (status >= 200 && status < 300) return 'it ended its answer without a result';
  if (status >= 300 && status < 400) return 'it answered with a redirect, which is not followed';
  if (status === 401 || status === 403) return `it refused our credentials (HTTP ${status})`;
  return `it answered with HTTP status ${status}`;
}
