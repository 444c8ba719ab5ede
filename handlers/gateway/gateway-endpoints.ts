import { array, enums, literal, nullable, number, optional, string, type, unknown } from 'superstruct';
import type { FailureCode } from '../../lib/failure.ts';
import { toolStructs } from '../../lib/groups/listed-tool.ts';
import { about, described, either, mapOf, named, type ValueOf } from '../../lib/json/json-schema.ts';
import { protocolVersions } from '../../lib/json-rpc/protocol-versions.ts';
import type { Content, Endpoint, Endpoints } from '../../lib/openapi/endpoint.ts';

/** The paths of the gateway, for the OpenAPI document and docs/api.md. What MCP says itself is only named here. */

export const RegisteredTool = named(
  'RegisteredTool',
  type({
    ...toolStructs,
    server: about(string(), 'Name of its server.'),
    output_schema: optional(about(mapOf(string(), unknown()), 'JSON Schema of structured results.')),
  }),
);
export type RegisteredTool = ValueOf<typeof RegisteredTool>;

const JsonRpcMessage = named(
  'JsonRpcMessage',
  type({
    jsonrpc: literal('2.0'),
    id: optional(nullable(either(string(), number()))),
    method: optional(string()),
    params: optional(mapOf(string(), unknown())),
    result: optional(unknown()),
    error: optional(unknown()),
  }),
);

const stream: Content = {
  mediaType: 'text/event-stream',
  description: 'An event stream of JSON-RPC messages.',
  events: { message: JsonRpcMessage },
};

/** Visible ASCII (2025-11-25 basic/transports, Session Management 1). */
const sessionId = described(string(), {
  ...{ minLength: 1, pattern: '^[!-~]+$' },
  description: 'From the answer to `initialize`; needed for all else.',
});

const headers = {
  'Mcp-Session-Id': optional(sessionId),
  'MCP-Protocol-Version': optional(about(enums(protocolVersions), 'The revision that was negotiated.')),
};

const sessionHeaders = { ...headers, 'Mcp-Session-Id': sessionId };

const ofSessions: readonly FailureCode[] = [
  'group_not_found',
  'session_required',
  'session_not_found',
  'unsupported_protocol_version',
  'not_acceptable',
  'too_many_requests',
  'database_unavailable',
];

const post: Endpoint = {
  summary: 'Sends a JSON-RPC message to the MCP endpoint of a group.',
  description:
    'MCP Streamable HTTP, revisions 2024-11-05 to 2025-11-25. A body is one message, in revision 2025-03-26 also an array of up to 100. Without `Accept`, or with `application/json` or `*/*`, the answer is JSON; event streams go only to clients that name `text/event-stream`. docs/protocol.md has every rule.',
  headers,
  body: either(JsonRpcMessage, array(JsonRpcMessage)),
  isJsonRpc: true,
  answers: {
    200: [
      {
        mediaType: 'application/json',
        description: 'The answer, or an array of answers.',
        schema: either(JsonRpcMessage, array(JsonRpcMessage)),
      },
      stream,
    ],
    202: [],
  },
  failures: [...ofSessions, 'method_not_allowed'],
};

const get: Endpoint = {
  summary: 'Opens the event stream of a session, or the rest of a broken one.',
  description: 'Only for clients whose `Accept` names `text/event-stream`.',
  headers: {
    ...sessionHeaders,
    'Last-Event-ID': optional(about(string(), 'The last event of the broken stream.')),
  },
  isJsonRpc: true,
  answers: { 200: [stream] },
  failures: ofSessions,
};

const remove: Endpoint = {
  summary: 'Ends a session, on every replica.',
  headers: sessionHeaders,
  isJsonRpc: true,
  answers: { 204: [] },
  failures: ofSessions,
};

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'example', version: '1' },
  },
};

const initialized = {
  jsonrpc: '2.0',
  id: 1,
  result: { protocolVersion: '2025-11-25', serverInfo: { name: 'svc-mcp/svc-global' } },
};

const path = { group: 'svc-global' };

const withoutSession = {
  name: 'without a session',
  status: 400,
  answer: { jsonrpc: '2.0', error: { code: -32000, data: { code: 'session_required' } } },
};

export const gatewayEndpoints = {
  'POST /v0/groups/{group}/mcp': {
    ...post,
    examples: [
      {
        name: 'initialize',
        path: { group: 'svc-global' },
        body: initialize,
        status: 200,
        answer: initialized,
      },
    ],
  },
  'GET /v0/groups/{group}/mcp': {
    ...get,
    examples: [{ ...withoutSession, path, headers: { Accept: 'text/event-stream' } }],
  },
  'DELETE /v0/groups/{group}/mcp': { ...remove, examples: [{ ...withoutSession, path }] },
  'POST /mcp': {
    ...post,
    summary: 'The same for the default group.',
    examples: [{ name: 'initialize', body: initialize, status: 200, answer: initialized }],
  },
  'GET /mcp': {
    ...get,
    summary: 'The same for the default group.',
    examples: [{ ...withoutSession, headers: { Accept: 'text/event-stream' } }],
  },
  'DELETE /mcp': { ...remove, summary: 'The same for the default group.', examples: [withoutSession] },
  'GET /api/v0/tools': {
    summary: 'Lists every tool of every server, whatever the groups show, ordered by name.',
    answers: {
      200: [{ mediaType: 'application/json', description: 'A flat array.', schema: array(RegisteredTool) }],
    },
    failures: ['database_unavailable'],
    examples: [{ name: 'tools', status: 200 }],
  },
} satisfies Endpoints;
