import http from 'node:http';
import https from 'node:https';
import type { ServerConfig } from '../catalog/server-config.ts';
import { guardedLookup, hasRefusedAddress, refusedAddressCode } from './node-dial-check.ts';
import type { SendProblem } from './transport.ts';

/**
 * One HTTP address with its headers and kept-alive connections. `node:http` instead of `fetch`, which costs four
 * to five times as much on Node 20 (libraries.md section 7.3), follows redirects and resolves names unchecked.
 */
export interface HttpEndpoint {
  /** Sends it; with a `body` in one write. Errors are events of the request. */
  request(method: string, headers: http.OutgoingHttpHeaders, body?: string): http.ClientRequest;
  close(): void;
}

/** Shorter than the 5 s after which Node servers drop an idle connection, so that none breaks under a call. */
const idleMs = 4000;
const ours = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/** @throws Error with a message that is safe to show, when the address or a header cannot be used. */
export function createHttpEndpoint(config: ServerConfig, url = new URL(config.url ?? '')): HttpEndpoint {
  const { Agent, request } = url.protocol === 'https:' ? https : http;
  if (!/^https?:$/.test(url.protocol)) throw new Error('its address is not an http or https URL');
  if (hasRefusedAddress(url)) throw new Error(problemText(refusedAddressCode));
  const configured = configuredHeaders(config);
  const agent = new Agent({ keepAlive: true, scheduling: 'lifo', timeout: idleMs, lookup: guardedLookup });
  const target = {
    agent,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port || undefined,
    path: url.pathname + url.search,
    auth: url.username ? decodeURIComponent(`${url.username}:${url.password}`) : undefined,
  };
  return {
    request(method, headers, body) {
      return request({ ...target, method, headers: { ...configured, ...headers } }).end(body);
    },
    close: () => agent.destroy(),
  };
}

/** Lower-case names, so that the protocol's own headers replace them instead of standing beside them. */
function configuredHeaders(config: ServerConfig): http.OutgoingHttpHeaders {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(config.headers)) {
    if (!ours.has(name.toLowerCase())) headers[name.toLowerCase()] = value;
  }
  if (config.bearerToken !== undefined) headers.authorization = `Bearer ${config.bearerToken}`;
  try {
    for (const [name, value] of Object.entries(headers)) {
      http.validateHeaderName(name);
      http.validateHeaderValue(name, value);
    }
  } catch {
    throw new Error('one of its headers holds a character that headers cannot hold');
  }
  return headers;
}

/** Nothing was sent when the connection could not be made at all. */
const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  refusedAddressCode,
]);

export function toSendProblem(error: NodeJS.ErrnoException): SendProblem {
  const code = error.code ?? '';
  return { reason: problemText(code), neverSent: neverConnected.has(code) };
}

function problemText(code: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'it refuses connections';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the name of its host is not known';
    case refusedAddressCode:
      return 'its address is link-local or names no single host, which is refused';
    default:
      return /^[A-Z_]+$/.test(code) ? `its connection broke (${code})` : 'its connection broke';
  }
}
