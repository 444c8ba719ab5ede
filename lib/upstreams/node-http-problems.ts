import type { ContainerFacts } from '../containers/containers.ts';
import type { Unanswered } from './mcp-readiness.ts';
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
  if (status === 404)
    return 'there is nothing at the path of its address (HTTP 404): look at `path`, or at its `url`';
  if (status === 405) {
    return 'it takes no requests at the path of its address (HTTP 405): look at `path` or `url`, and whether its `transport` is the older `sse`';
  }
  return `it answered with HTTP status ${status}`;
}

/** Of a server in a container, whose port inside is meant. */
export function unansweredReason(
  problem: Unanswered,
  { port, exposedPorts = [] }: Pick<ContainerFacts, 'port' | 'exposedPorts'>,
): string {
  if (typeof problem === 'number') return `it answers with HTTP status ${problem}`;
  if (problem === 'silent')
    return `whatever listens on port ${port} in its container does not answer in HTTP`;
  const others = exposedPorts.filter((exposed) => exposed !== port);
  const hint = others.length > 0 ? `; its image exposes ${others.join(' and ')} (\`port\`)` : ' (`port`)';
  return `nothing listens on port ${port} in its container, or only on 127.0.0.1 there${hint}`;
}
