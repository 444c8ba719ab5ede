/**
 * Every way a request can fail, in one table (docs/api.md, Error codes). Code that detects a problem throws
 * a `Failure`; one place per protocol turns it into an answer (`lib/http/responses.ts`, `lib/json-rpc/write.ts`).
 * Anything else that is thrown becomes `internal`: its text goes to the log and never to the caller.
 */

interface FailureKind {
  /** HTTP status of a plain answer, and of JSON-RPC refusals that happen before a method runs. */
  readonly status: number;
  /** `error.code` of a JSON-RPC answer. */
  readonly jsonrpc: number;
  /** HTTP status when a JSON-RPC method ran and failed; absent: `status`. */
  readonly rpcStatus?: number;
}

export const failureKinds = {
  parse_error: { status: 400, jsonrpc: -32700 },
  invalid_request: { status: 400, jsonrpc: -32600 },
  invalid_params: { status: 400, jsonrpc: -32602, rpcStatus: 200 },
  method_not_found: { status: 200, jsonrpc: -32601 },
  tool_not_found: { status: 404, jsonrpc: -32602, rpcStatus: 200 },
  prompt_not_found: { status: 404, jsonrpc: -32602, rpcStatus: 200 },
  resource_not_found: { status: 404, jsonrpc: -32002, rpcStatus: 200 },
  session_required: { status: 400, jsonrpc: -32000 },
  session_not_found: { status: 404, jsonrpc: -32001 },
  group_not_found: { status: 404, jsonrpc: -32000 },
  server_not_found: { status: 404, jsonrpc: -32000 },
  not_found: { status: 404, jsonrpc: -32000 },
  method_not_allowed: { status: 405, jsonrpc: -32000 },
  not_acceptable: { status: 406, jsonrpc: -32000 },
  unsupported_media_type: { status: 415, jsonrpc: -32000 },
  payload_too_large: { status: 413, jsonrpc: -32000 },
  host_not_allowed: { status: 403, jsonrpc: -32000 },
  origin_not_allowed: { status: 403, jsonrpc: -32000 },
  command_needs_admin: { status: 403, jsonrpc: -32000 },
  image_not_allowed: { status: 403, jsonrpc: -32000 },
  upstream_not_allowed: { status: 403, jsonrpc: -32000 },
  secret_needs_admin: { status: 403, jsonrpc: -32000 },
  mount_needs_admin: { status: 403, jsonrpc: -32000 },
  mount_not_allowed: { status: 403, jsonrpc: -32000 },
  replace_needs_admin: { status: 403, jsonrpc: -32000 },
  try_needs_admin: { status: 403, jsonrpc: -32000 },
  gateway_loop: { status: 409, jsonrpc: -32000, rpcStatus: 200 },
  unsupported_protocol_version: { status: 400, jsonrpc: -32000 },
  request_timeout: { status: 408, jsonrpc: -32000 },
  header_too_large: { status: 431, jsonrpc: -32000 },
  unauthorized: { status: 401, jsonrpc: -32000 },
  data_at_risk: { status: 409, jsonrpc: -32000 },
  conflict: { status: 409, jsonrpc: -32000 },
  group_changed: { status: 409, jsonrpc: -32000 },
  group_unreadable: { status: 409, jsonrpc: -32000 },
  group_read_only: { status: 409, jsonrpc: -32000 },
  config_read_only: { status: 409, jsonrpc: -32000 },
  secret_read_only: { status: 409, jsonrpc: -32000 },
  too_many_requests: { status: 429, jsonrpc: -32000 },
  upstream_unavailable: { status: 502, jsonrpc: -32603, rpcStatus: 200 },
  upstream_timeout: { status: 504, jsonrpc: -32603, rpcStatus: 200 },
  upstream_error: { status: 502, jsonrpc: -32603 },
  provision_failed: { status: 502, jsonrpc: -32000 },
  database_unavailable: { status: 503, jsonrpc: -32603 },
  storage_failed: { status: 500, jsonrpc: -32000 },
  internal: { status: 500, jsonrpc: -32603 },
} as const satisfies Record<string, FailureKind>;

export type FailureCode = keyof typeof failureKinds;

export interface FailureOptions {
  /** Facts that are safe to show to the caller: names, never values of variables, arguments or paths. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Overrides the table's status (`provision_failed` has several, `storage_failed` has 507). */
  readonly status?: number;
  /** Extra answer headers, such as `Allow` or `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The original error, for the log only. */
  readonly cause?: unknown;
}

export class Failure extends Error {
  readonly code: FailureCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  /** @param sentence One sentence for a person, with the remedy where there is one. */
  constructor(code: FailureCode, sentence: string, options: FailureOptions = {}) {
    super(sentence, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.details = options.details;
    this.status = options.status ?? failureKinds[code].status;
    this.headers = options.headers ?? {};
  }
}

/** `error` itself if it is a Failure, else a failure `internal`. */
export function toFailure(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure('internal', 'Internal error', { cause: error });
}

/** A fault of the database as callers see it: see `lib/database/database-fault.ts`. */
export interface DatabaseFault {
  readonly reason: string;
  readonly sentence: string;
  readonly retryAfterSeconds: number;
}

export const databaseAway: DatabaseFault = {
  reason: 'away',
  sentence: 'The database is not reachable at the moment; try again shortly.',
  retryAfterSeconds: 2,
};

/** The stored state is not read yet; callers know this code for it. */
export function stillStarting(): Failure {
  return databaseUnavailable(undefined, {
    reason: 'starting',
    sentence: 'The service is still starting; try again shortly.',
    retryAfterSeconds: 2,
  });
}

/** A refusal because of the database; callers may retry after `Retry-After` seconds. */
export function databaseUnavailable(cause?: unknown, fault: DatabaseFault = databaseAway): Failure {
  const { reason, sentence, retryAfterSeconds } = fault;
  return new Failure('database_unavailable', sentence, {
    details: { reason },
    headers: { 'Retry-After': String(retryAfterSeconds) },
    cause,
  });
}
