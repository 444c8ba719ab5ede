import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { ServerConfig } from '../../../config/server-config.ts';
import type { SendProblem } from '../transport.ts';
import type { AnswerReader } from './node-answer-readers.ts';
import { hasRefusedAddress, refusedAddressCode } from './node-dial-check.ts';
import { createHttpConnection, type HttpConnection, type HttpExchange } from './node-http-connection.ts';
import { noAnswerCode } from './node-http-problems.ts';

/** One HTTP address with the headers of its config and kept-alive connections. */
export interface HttpEndpoint {
  /** The head that requests of one kind have in common. @throws Error when a header cannot be sent. */
  prepare(method: string, headers: HeaderFields): string;
  /** The reader is never called before this has returned. */
  send(prepared: string, body: string | undefined, reader: AnswerReader): HttpExchange;
  /** Closes every connection, also those in use, whose readers receive an error. Later requests fail. */
  close(): void;
}

/** Of a server's config. */
type Addressed = Pick<ServerConfig, 'url' | 'headers' | 'bearerToken'>;

export type HeaderFields = Readonly<Record<string, string>>;

/** Shorter than the 5 s after which Node servers drop an idle connection, so that none breaks under a call. */
const idleMs = 4000;
const ours = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/** @throws Error with a message that is safe to show, when the address or a header cannot be used. */
export function createHttpEndpoint(config: Addressed, url = new URL(config.url ?? '')): HttpEndpoint {
  if (!/^https?:$/.test(url.protocol)) throw new Error('its address is not an http or https URL');
  if (hasRefusedAddress(url)) throw new Error(problemText(refusedAddressCode));
  const configured = configuredHeaders(config, url);
  const connections = new Set<HttpConnection>();
  /** The connection used last is at the end, and used first. */
  const free: HttpConnection[] = [];
  let isClosed = false;

  function connect(): HttpConnection {
    const connection = createHttpConnection({
      url,
      onFree: (freed) => void free.push(freed),
      onGone(gone) {
        connections.delete(gone);
        const index = free.indexOf(gone);
        if (index >= 0) free.splice(index, 1);
      },
    });
    connections.add(connection);
    return connection;
  }

  function acquireConnection(): HttpConnection {
    const connection = free.pop();
    if (connection?.isUsable() && performance.now() - connection.freeSince < idleMs) return connection;
    connection?.close();
    return connect();
  }

  const sweeper = setInterval(() => {
    const oldest = performance.now() - idleMs;
    while (free[0] && free[0].freeSince < oldest) free.shift()?.close();
  }, idleMs / 4);
  sweeper.unref();

  return {
    prepare(method, headers) {
      const fields = Object.entries({ host: url.host, ...configured, ...headers });
      for (const [name, value] of fields) validateHeaderValue(name, value);
      const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`);
      return `${method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}`;
    },
    send(prepared, body = '', reader) {
      if (isClosed) return failSoon(reader);
      const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
      return acquireConnection().exchange({ head: `${prepared}${length}\r\n`, body }, reader);
    },
    close() {
      isClosed = true;
      clearInterval(sweeper);
      for (const connection of connections) connection.close();
    },
  };
}

/** A connection opened after `close` would never be closed. */
function failSoon(reader: AnswerReader): HttpExchange {
  const timer = setImmediate(() => reader.onError(new Error('The endpoint is closed.')));
  return { abort: () => clearImmediate(timer) };
}

/** Lower-case names, so that the protocol's own headers replace them instead of standing beside them. */
function configuredHeaders(config: Addressed, { username, password }: URL): HeaderFields {
  const headers: Record<string, string> = {};
  if (username !== '') headers.authorization = `Basic ${btoa(decodeURIComponent(`${username}:${password}`))}`;
  for (const [name, value] of Object.entries(config.headers)) {
    if (!ours.has(name.toLowerCase())) headers[name.toLowerCase()] = value;
  }
  if (config.bearerToken !== undefined) headers.authorization = `Bearer ${config.bearerToken}`;
  try {
    for (const [name, value] of Object.entries(headers)) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
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
    case noAnswerCode:
      return 'it does not answer in HTTP';
    default:
      return /^[A-Z_]+$/.test(code) ? `its connection broke (${code})` : 'its connection broke';
  }
}
