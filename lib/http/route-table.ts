import { type IRequestStrict, Router, type RouterType } from 'itty-router';
import { Failure } from '../failure.ts';
import { emptyResponse } from './responses.ts';

export type Handler<Context> = (request: IRequestStrict, context: Context) => Response | Promise<Response>;
export type Table<Context> = RouterType<IRequestStrict, [Context], Response>;

/**
 * An empty route table. itty-router's `AutoRouter`, `withParams` and `json` stages leak request headers behind
 * the Node adapter (docs/decisions/0006), so the plain router is used and errors are caught by the caller.
 */
export function createTable<Context>(): Table<Context> {
  return Router<IRequestStrict, [Context], Response>();
}

/**
 * What a table answers when no route matched: HEAD as GET without a body, 405 with `Allow`, or 404.
 * The router knows none of these.
 */
export async function answerUnmatched<Context>(
  table: Table<Context>,
  request: Request,
  context: Context,
): Promise<Response> {
  const path = new URL(request.url).pathname;
  const methods = allowedMethods(table, path);
  if (request.method === 'HEAD' && methods.includes('GET')) return answerHead(table, request, context);
  if (methods.length === 0) throw new Failure('not_found', 'There is nothing at this path.');
  throw new Failure('method_not_allowed', `This path answers ${methods.join(', ')} only.`, {
    headers: { Allow: methods.join(', ') },
  });
}

function allowedMethods<Context>(table: Table<Context>, path: string): readonly string[] {
  const methods = new Set<string>();
  for (const [method, pattern] of table.routes) {
    if (pattern.test(path)) methods.add(method);
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

/** Answers as GET whose client leaves before the body, so that an event stream is closed. */
async function answerHead<Context>(
  table: Table<Context>,
  request: Request,
  context: Context,
): Promise<Response> {
  const leaving = new AbortController();
  const get = { method: 'GET', url: request.url, headers: request.headers, signal: leaving.signal };
  const response = await table.fetch(get as unknown as IRequestStrict, context);
  leaving.abort();
  return emptyResponse(response.status, Object.fromEntries(response.headers));
}

/**
 * One path parameter, percent-decoded (the router leaves it encoded).
 * @throws Failure `invalid_request` when the encoding is broken.
 */
export function pathParam(request: Pick<IRequestStrict, 'params'>, name: string): string {
  const raw = request.params[name] ?? '';
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    throw new Failure('invalid_request', 'The path is not validly percent-encoded.');
  }
}

/** One query parameter; a duplicate one is refused. */
export function queryParam(request: Pick<IRequestStrict, 'query'>, name: string): string | undefined {
  const value = request.query[name];
  if (Array.isArray(value))
    throw new Failure('invalid_params', `Query parameter \`${name}\` may be given once.`);
  return value;
}

/**
 * The version that a request means to change: `If-Match` (RFC 9110 section 13.1.1). `*` only requires that the thing
 * exists, which it must anyway; proxies that compress make an etag weak.
 * @throws Failure `invalid_params` for anything else than one etag.
 */
export function requiredVersion(headers: Headers): string | undefined {
  const value = headers.get('if-match')?.trim();
  if (value === undefined || value === '*') return undefined;
  const [, etag] = /^(?:W\/)?("[^"]*")$/.exec(value) ?? [];
  if (etag !== undefined) return etag;
  throw new Failure('invalid_params', 'Header `If-Match`: expected one `etag`, with its quotes, or `*`.');
}
