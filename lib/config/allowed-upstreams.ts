import { Failure } from '../failure.ts';

/**
 * `ALLOWED_UPSTREAMS`: the addresses that servers may have. A pattern is `host` or `host:port`; `*.example.org` stands
 * for every name below it. Without patterns every address is allowed.
 */
export function isAllowedUpstream(url: URL, patterns: readonly string[]): boolean {
  if (patterns.length === 0) return true;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return patterns.some((pattern) => {
    const [, host = pattern, wantedPort] = /^(.*?)(?::(\d+))?$/.exec(pattern.trim().toLowerCase()) ?? [];
    return (wantedPort === undefined || wantedPort === port) && matchesHost(url.hostname, host);
  });
}

/**
 * For the address of a config that was checked. One whose host is a reference is judged when the server starts.
 * @throws Failure `upstream_not_allowed`
 */
export function assertUpstreamAllowed(url: string, patterns: readonly string[]): void {
  const hasReference = /^\w+:\/\/[^/?#]*\$\{/.test(url);
  if (hasReference || isAllowedUpstream(new URL(url), patterns)) return;
  throw new Failure(
    'upstream_not_allowed',
    'This address may not be registered here; see `ALLOWED_UPSTREAMS`.',
  );
}

function matchesHost(hostname: string, host: string): boolean {
  return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host;
}
