import { enums, literal, number, object, optional, string, type, unknown } from 'superstruct';
import { type FailureCode, failureKinds } from '../failure.ts';
import {
  about,
  type JsonSchema,
  mapOf,
  named,
  type SchemaWriter,
  type ValueOf,
} from '../json/json-schema.ts';
import type { Endpoint } from './endpoint.ts';
import { failureMeanings } from './failure-meanings.ts';

/** The failures of an endpoint, by status. */

const codes = Object.keys(failureKinds) as FailureCode[];

const meanings = codes.map((code) => `- \`${code}\`: ${failureMeanings[code]}`).join('\n');

/** The body of every failure of the manager API and of plain paths of the gateway. */
export const FailureBody = named(
  'Failure',
  type({
    success: literal(false),
    error: about(string(), 'One sentence for a person.'),
    code: about(enums(codes), meanings),
    request_id: about(string(), 'Also in the header `X-Request-Id` and in the log.'),
    details: optional(about(mapOf(string(), unknown()), 'Facts about the failure, by code.')),
  }),
);

export type FailureFields = ValueOf<typeof FailureBody>;

/** The same on the MCP endpoints (JSON-RPC 2.0, section 5.1). */
export const JsonRpcFailure = named(
  'JsonRpcFailure',
  type({
    jsonrpc: literal('2.0'),
    id: optional(unknown()),
    error: object({
      code: number(),
      message: string(),
      data: optional(about(unknown(), '`code` and `request_id` as in a failure of the manager.')),
    }),
  }),
);

/** What docs/api.md says once for all. */
export const failuresOfEveryRequest: readonly FailureCode[] = [
  'invalid_request',
  'unauthorized',
  'host_not_allowed',
  'origin_not_allowed',
  'request_timeout',
  'header_too_large',
  'internal',
];
export const failuresOfBodies: readonly FailureCode[] = [
  'parse_error',
  'invalid_params',
  'unsupported_media_type',
  'payload_too_large',
];

/** All statuses that a code comes with. */
export function failureStatuses(code: FailureCode): readonly number[] {
  if (code === 'provision_failed') return [422, 502, 503, 504];
  if (code === 'storage_failed') return [500, 507];
  return [failureKinds[code].status];
}

/**
 * References to the answers, which are the same for many endpoints.
 * @param answers Gets those that it has not yet, by name.
 */
export function failureAnswers(
  endpoint: Endpoint,
  { write }: SchemaWriter,
  answers: Map<string, JsonSchema>,
): Record<string, JsonSchema> {
  const body = write(endpoint.isJsonRpc ? JsonRpcFailure : FailureBody);
  const references: Record<string, JsonSchema> = {};
  for (const [status, ofStatus] of byStatus(codesOf(endpoint))) {
    if (status in endpoint.answers) continue;
    const name = [status, ...(endpoint.isJsonRpc ? ['jsonrpc'] : []), ...ofStatus].join('.');
    const restricted = { allOf: [body], properties: { code: { enum: ofStatus } } };
    answers.set(name, {
      description: ofStatus.map((code) => `\`${code}\``).join(', '),
      content: { 'application/json': { schema: endpoint.isJsonRpc ? body : restricted } },
    });
    references[status] = { $ref: `#/components/responses/${name}` };
  }
  return references;
}

function codesOf({ body, query, failures = [] }: Endpoint): readonly FailureCode[] {
  const ofInput = body ? failuresOfBodies : query ? (['invalid_params'] as const) : [];
  return [...new Set([...failuresOfEveryRequest, ...ofInput, ...failures])];
}

function byStatus(wanted: readonly FailureCode[]): ReadonlyMap<number, readonly FailureCode[]> {
  const found = new Map<number, FailureCode[]>();
  for (const code of codes.filter((one) => wanted.includes(one))) {
    for (const status of failureStatuses(code)) found.set(status, [...(found.get(status) ?? []), code]);
  }
  return found;
}
