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

function matchesHost(hostname: string, host: string): boolean {
  return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host;
}
