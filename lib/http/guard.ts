import { Failure } from '../failure.ts';
import { isLoopbackName } from '../text/network-syntax.ts';
import { isOriginAllowed, type OriginPolicy } from './origin.ts';
import { corsHeaders } from './responses.ts';

/**
 * Decides before routing which requests a port accepts (docs/api.md, Guard). Only headers are judged; the body reader
 * checks sizes and types of bodies, the server the times. Portable: the Node listener passes raw headers, an edge entry
 * those of a Request.
 */
export interface RequestFacts {
  readonly method: string;
  readonly path: string;
  readonly host: string | null;
  readonly origin: string | null;
  readonly secFetchSite: string | null;
  readonly authorization: string | null;
}

export interface GuardOptions {
  readonly originPolicy: OriginPolicy;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** Bearer token that every path except the open ones needs. */
  readonly token: string | undefined;
  /** A path whose handler asks for a token of its own instead. */
  readonly ownTokenPath?: string;
  /** Further paths that need no token. */
  readonly isOpen?: (path: string) => boolean;
  /** Refuse state-changing calls that a browser says come from another site, even without an Origin. */
  readonly checksFetchSite: boolean;
}

/** Throws the Failure that answers a refused request. */
export type Guard = (facts: RequestFacts) => void;

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
const ownSites = new Set(['same-origin', 'none']);

export function createGuard(options: GuardOptions): Guard {
  const hosts = createHostCheck(options.allowedHosts);
  const allowedOrigins = new Set(options.allowedOrigins.map((origin) => origin.toLowerCase()));

  return function guard(facts) {
    if (facts.host === null || hosts.hostName(facts.host) === undefined) {
      throw new Failure(
        'host_not_allowed',
        'This Host is not allowed here; add its name to ALLOWED_HOSTS if it is yours.',
      );
    }
    if (
      facts.origin !== null &&
      !isOriginAllowed(facts.origin, facts.host, options.originPolicy, allowedOrigins)
    ) {
      throw originNotAllowed();
    }
    if (
      options.checksFetchSite &&
      !safeMethods.has(facts.method) &&
      facts.secFetchSite !== null &&
      !ownSites.has(facts.secFetchSite) &&
      !(facts.origin !== null && allowedOrigins.has(facts.origin.toLowerCase()))
    ) {
      throw originNotAllowed();
    }
    if (options.token !== undefined && facts.method !== 'OPTIONS' && !isOpen(facts.path)) {
      assertToken(facts, options.token, options.originPolicy);
    }
  };

  function isOpen(path: string): boolean {
    return path === options.ownTokenPath || isOpenPath(path) || options.isOpen?.(path) === true;
  }
}

function originNotAllowed(): Failure {
  return new Failure(
    'origin_not_allowed',
    'This Origin is not allowed here; add it to ALLOWED_ORIGINS if it is yours.',
  );
}

function isOpenPath(path: string): boolean {
  return path === '/' || path === '/healthz' || path === '/readyz' || isStaticPath(path);
}

/** The router normalises paths, so `/static/../api/tools` must not pass for a file of the dashboard. */
function isStaticPath(path: string): boolean {
  return path.startsWith('/static/') && new URL(path, 'http://localhost').pathname.startsWith('/static/');
}

function assertToken(facts: RequestFacts, token: string, originPolicy: OriginPolicy): void {
  if (isBearer(facts.authorization, token)) return;
  // The Origin was judged before: a page that may talk to the gateway may also read why it is refused.
  const mayBeForeign = originPolicy === 'same-host-or-loopback' && facts.origin !== null;
  const isGiven = bearerOf(facts.authorization) !== undefined;
  throw new Failure('unauthorized', isGiven ? wrongToken : missingToken, {
    details: { reason: isGiven ? 'wrong' : 'missing' },
    headers: {
      ...(mayBeForeign ? corsHeaders(facts.origin) : {}),
      // RFC 6750, section 3.1.
      'WWW-Authenticate': isGiven ? 'Bearer error="invalid_token"' : 'Bearer',
    },
  });
}

const missingToken = 'This port needs `Authorization: Bearer <token>`.';
const wrongToken =
  'The token in `Authorization` is not the one of this port; compare it with the one that the service was started with.';

function bearerOf(authorization: string | null): string | undefined {
  return /^bearer +(.+)$/i.exec(authorization ?? '')?.[1];
}

/** Whether this `Authorization` header holds `token`. */
export function isBearer(authorization: string | null, token: string): boolean {
  const given = bearerOf(authorization);
  return given !== undefined && isEqualInConstantTime(given, token);
}

/** The time taken depends only on the length of `given`. */
export function isEqualInConstantTime(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let at = 0; at < given.length; at++) {
    difference |= given.charCodeAt(at) ^ expected.charCodeAt(at % Math.max(expected.length, 1));
  }
  return difference === 0;
}

/**
 * Which `Host` values are ours (docs/api.md, Guard). A web page that rebinds its own DNS name to this
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
