import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';

/**
 * One request and its whole answer, over TCP or a unix socket. Uses `node:http` because `fetch` has no unix sockets
 * and gives up on a slow tool after five minutes. Redirects are not followed: a token must not
 * travel to another host.
 */
export interface Exchange {
  readonly method: string;
  readonly url: URL;
  /** Connects here instead of to the address in `url`. */
  readonly socketPath?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly timeoutMs: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly text: string;
}

/** Many times the tool list of a large installation. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** Rejects with the error of the socket (`code` as in `node:net`), or with one whose code is `ETIMEDOUT`. */
export function exchange(wanted: Exchange): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const send = wanted.url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(wanted.url, options(wanted), (response) => {
      // The answer may come before the service has read the body, as with 413: the broken pipe is ignored then.
      request.removeAllListeners('error').on('error', () => {});
      readAnswer(response).then(resolve, reject);
    });
    request.on('error', reject);
    request.end(wanted.body);
  });
}

function options(wanted: Exchange): RequestOptions {
  return {
    method: wanted.method,
    agent: false,
    signal: AbortSignal.timeout(wanted.timeoutMs),
    headers: {
      ...wanted.headers,
      ...(wanted.body === undefined ? {} : { 'Content-Length': Buffer.byteLength(wanted.body) }),
    },
    ...(wanted.socketPath === undefined ? {} : { socketPath: wanted.socketPath }),
  };
}

async function readAnswer(response: IncomingMessage): Promise<HttpAnswer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) throw new Error('the answer is larger than 64 MiB');
    chunks.push(chunk);
  }
  return {
    status: response.statusCode ?? 0,
    header: (name) => {
      const value = response.headers[name.toLowerCase()];
      return Array.isArray(value) ? value[0] : value;
    },
    text: Buffer.concat(chunks).toString('utf8'),
  };
}

/** Why no answer came, in words that fit behind a colon. */
export function whyNoAnswer(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'ENOENT':
    case 'ECONNREFUSED':
      return 'nobody listens there';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the host name is not known';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'ABORT_ERR':
      return 'no answer in time';
    default:
      return error instanceof Error ? error.message : 'the connection failed';
  }
}
