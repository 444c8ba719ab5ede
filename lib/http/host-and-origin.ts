/**
 * Which `Origin` values may talk to us (2025-11-25 basic/transports, Security Warning; contract section 3).
 * Browsers send it on every cross-site call, so a bad one is a foreign web page.
 */
export type OriginPolicy = 'same-host-and-port' | 'same-host-or-loopback';

/**
 * @param hostHeader the request's own `Host`, already checked
 * @param allowedOrigins as browsers send them, such as `https://ops.example`
 */
export function isOriginAllowed(
  origin: string,
  hostHeader: string,
  policy: OriginPolicy,
  allowedOrigins: ReadonlySet<string>,
): boolean {
  if (allowedOrigins.has(origin.toLowerCase())) return true;
  const url = parseOrigin(origin);
  const own = parseOrigin(`http://${hostHeader}`);
  if (url === undefined || own === undefined) return false;
  if (policy === 'same-host-and-port') return url.host === own.host;
  return url.hostname === own.hostname || isLoopbackName(url.hostname);
}

/**
 * An origin as browsers send it, which is how `ALLOWED_ORIGINS` has to name it: without a path, and without the port
 * that goes without saying. Pages of browser extensions and editors have schemes of their own.
 */
export function isOrigin(text: string): boolean {
  const isWeb = /^https?:/i.test(text);
  if (isWeb) return URL.canParse(text) && new URL(text).origin === text.toLowerCase();
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+$/i.test(text);
}

/** `null`, user info, paths and other schemes are no web origins of ours. */
function parseOrigin(origin: string): URL | undefined {
  try {
    const url = new URL(origin);
    const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
    return isWeb &&
      url.username === '' &&
      url.pathname === '/' &&
      !/[/?#@]/.test(origin.slice(url.protocol.length + 2))
      ? url
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Which `Host` values are ours (contract section 3, Guard). A web page that rebinds its own DNS name to this
 * machine still sends that name, so only names that no outsider can own are accepted: loopback, IP literals, and those in
 * ALLOWED_HOSTS. Names without a dot are no exception: on a local network any machine may claim one by multicast DNS,
 * NetBIOS or DHCP. The port is ignored.
 */
export interface HostCheck {
  /** The bare, lower-case host name, or undefined when the value is malformed or not allowed. */
  hostName(header: string | null): string | undefined;
}

const hostSyntax = /^(\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?)(?::(\d{1,5}))?$/;
const remembered = 500;

export function createHostCheck(allowedHosts: readonly string[]): HostCheck {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()));
  const verdicts = new Map<string, string | undefined>();

  function judge(header: string): string | undefined {
    const match = hostSyntax.exec(header.toLowerCase());
    const name = match?.[1];
    if (name === undefined || Number(match?.[3] ?? 0) > 65_535) return undefined;
    // A request URL cannot hold broken punycode.
    if (!URL.canParse(`http://${name}`)) return undefined;
    return allowed.has(name) || isOwnedByNoOutsider(name) ? name : undefined;
  }

  return {
    hostName(header) {
      if (header === null) return undefined;
      if (verdicts.has(header)) return verdicts.get(header);
      if (verdicts.size >= remembered) verdicts.clear();
      const verdict = judge(header);
      verdicts.set(header, verdict);
      return verdict;
    },
  };
}

/** A name as `ALLOWED_HOSTS` holds them: any other text would never match a request. */
export function isHostName(text: string): boolean {
  const match = hostSyntax.exec(text.toLowerCase());
  return match !== null && match[3] === undefined && URL.canParse(`http://${text}`);
}

export function isLoopbackName(name: string): boolean {
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(name)
  );
}

/** Names that no outsider can register: nothing can be rebound to us under them. */
function isOwnedByNoOutsider(name: string): boolean {
  if (isLoopbackName(name) || name === 'host.docker.internal') return true;
  if (name.startsWith('[')) return isUsableIpv6(name);
  return looksNumeric(name) && isUsableIpv4(name);
}

/** `0`, `0x7f.1` and their like reach this machine in some resolvers ("0.0.0.0 day"). */
function looksNumeric(name: string): boolean {
  return /^(0x[0-9a-f]*|\d+)(\.(0x[0-9a-f]*|\d+))*\.?$/.test(name);
}

function isUsableIpv4(name: string): boolean {
  const parts = name.split('.');
  const isQuad =
    parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
  return isQuad && name !== '0.0.0.0';
}

function isUsableIpv6(name: string): boolean {
  try {
    const normal = new URL(`http://${name}`).hostname;
    return normal !== '[::]' && normal !== '[::ffff:0:0]';
  } catch {
    return false;
  }
}
