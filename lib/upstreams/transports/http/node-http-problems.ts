import type { ServerConfig } from '../../../config/server-config.ts';
import type { SendProblem } from '../transport.ts';

/** Why a server over HTTP gives no answer, as clauses that continue "the server is unavailable: …". */

export function sent(reason: string): SendProblem {
  return { reason, neverSent: false };
}

export function tooLong(bytes: number): SendProblem {
  return sent(`its answer is longer than ${bytes} bytes`);
}

/** Besides the status. */
export interface AnswerFacts {
  /** Without parameters. */
  readonly mediaType?: string;
  /** Of the request, see `sendsCredentials`. */
  readonly hadCredentials?: boolean;
  /** `WWW-Authenticate`. */
  readonly challenge?: string | undefined;
}

/** Whether requests with this config carry something that may be a credential. */
export function sendsCredentials({ headers, bearerToken, url }: HttpConfig): boolean {
  if (bearerToken !== undefined || Object.keys(headers).length > 0) return true;
  const address = url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
  return Boolean(address && (address.username || address.search));
}

type HttpConfig = Pick<ServerConfig, 'headers' | 'bearerToken' | 'url'>;

export function statusReason(status: number, facts: AnswerFacts = {}): string {
  if (facts.mediaType === 'text/html' && isOfSite(status)) {
    return `it answered with a web page (HTTP ${status}): its address is the one of a site, not of an MCP endpoint (those often end in /mcp or /sse)`;
  }
  if (status >= 200 && status < 300) return 'it ended its answer without a result';
  if (status >= 300 && status < 400) return 'it answered with a redirect, which is not followed';
  if (status === 401 || status === 403) return credentialsReason(status, facts);
  if (status === 404)
    return 'there is nothing at the path of its address (HTTP 404): look at `path`, or at its `url`';
  if (status === 405) {
    return 'it takes no requests at the path of its address (HTTP 405): look at `path` or `url`, and whether its `transport` is the older `sse`';
  }
  return `it answered with HTTP status ${status}`;
}

/** Statuses with which a web server answers a POST of JSON; 404 and refusals have sentences of their own. */
function isOfSite(status: number): boolean {
  return (
    (status >= 200 && status < 300) || status === 400 || status === 405 || status === 406 || status === 415
  );
}

const howGiven =
  'give a token as `bearer_token`, or what it asks for in `headers`, such as `Authorization` with `Bearer` and the token';

function credentialsReason(status: number, { hadCredentials = true, challenge = '' }: AnswerFacts): string {
  if (hadCredentials) {
    return `it refused our credentials (HTTP ${status}): look at \`headers\` and \`bearer_token\``;
  }
  if (status === 403) {
    return `it refused the request (HTTP 403), which carried no credentials: if it wants some, ${howGiven}`;
  }
  const login = /resource_metadata=/i.test(challenge)
    ? '; it offers a login in a browser (OAuth), which the gateway cannot do for you'
    : '';
  return `it wants credentials and was sent none (HTTP 401): ${howGiven}${login}`;
}

const longestText = 400;

/**
 * The text of an answer that is no message, as a line of the server's log, which may end within a secret (`mayBeCut` in
 * `log-lines.ts`). Only for answers before the handshake is done: later ones may hold the data of a call. Undefined for an
 * empty text, and for messages of the protocol, which are reported elsewhere.
 */
export function httpAnswerLine(status: number, mediaType: string, body: string): string | undefined {
  if (mediaType === 'application/json' && body.includes('"jsonrpc"')) return undefined;
  const text = mediaType === 'text/html' ? pageText(body) : body;
  const line = text
    .slice(0, 4 * longestText)
    .replace(/\s+/g, ' ')
    .trim();
  if (line === '') return undefined;
  return `[HTTP ${status}] ${line.slice(0, longestText)}`;
}

const mostOfPage = 16 * 1024;

/** The title and the text at the beginning of the page. */
function pageText(html: string): string {
  return html
    .slice(0, mostOfPage)
    .replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ');
}

export const noAnswerCode = 'ERR_HTTP_ANSWER';

/** @param reason continues "it is no HTTP answer: ". */
export function noAnswer(reason: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`It is no HTTP answer: ${reason}.`), { code: noAnswerCode });
}
