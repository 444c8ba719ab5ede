// @ts-check
// One tool call over MCP Streamable HTTP (2025-11-25), as an agent makes it: a session, the call, the end of the
// session. It declares no capabilities, so the server asks nothing back.
import { readEventStream } from '../lib/event-stream.js';
import { membersOf } from './members-of.js';

const [initializeId, callId] = [1, 2];

/** A failed call: a JSON-RPC error, an HTTP status, or no connection (`status` 0). */
export class McpFailure extends Error {
  /** @param {string} message @param {number} [status] */
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}

/** @typedef {{ progress: number, total?: number | undefined, message?: string | undefined }} Progress */

/**
 * @typedef {object} ToolCall
 * @property {string} endpoint
 * @property {string} protocolVersion The newest revision that the gateway speaks.
 * @property {string} tool
 * @property {string} argumentsJson Sent as it is, so that large numbers stay what they are.
 * @property {string} [token] Of the gateway, where it wants one.
 * @property {AbortSignal} [signal] Aborting cancels the call at the server, too.
 * @property {(progress: Progress) => void} [onProgress]
 * @property {typeof fetch} [fetcher]
 */

/**
 * @param {ToolCall} call
 * @returns {Promise<{ result: unknown, milliseconds: number }>} The time is that of the call alone.
 * @throws McpFailure; AbortError after a cancellation.
 */
export async function callTool(call) {
  const connection = createConnection(call);
  await connection.open();
  const cancel = () =>
    connection.notify('notifications/cancelled', `{"requestId":${callId},"reason":"Cancelled"}`);
  call.signal?.addEventListener('abort', cancel);
  const begin = performance.now();
  try {
    const name = JSON.stringify(call.tool);
    const params = `{"name":${name},"arguments":${call.argumentsJson},"_meta":{"progressToken":${callId}}}`;
    const result = await connection.request(callId, 'tools/call', params);
    return { result, milliseconds: performance.now() - begin };
  } finally {
    call.signal?.removeEventListener('abort', cancel);
    connection.close();
  }
}

/** @param {ToolCall} call */
function createConnection({ endpoint, protocolVersion: wanted, token, signal, onProgress, fetcher = fetch }) {
  /** @type {Record<string, string>} */
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
  };

  /** @param {string} body @param {AbortSignal} [until] */
  async function send(body, until) {
    const response = await fetcher(endpoint, { method: 'POST', headers, body, signal: until }).catch(
      (error) => {
        if (until?.aborted) throw error;
        throw new McpFailure('The gateway does not answer.');
      },
    );
    if (response.ok) return response;
    const { message } = membersOf(membersOf(await response.json().catch(() => undefined)).error);
    const sentence =
      typeof message === 'string' ? message : `The gateway answered with HTTP ${response.status}.`;
    throw new McpFailure(sentence, response.status);
  }

  /** @param {number} id @param {string} method @param {string} params */
  async function request(id, method, params) {
    const response = await send(
      `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`,
      signal,
    );
    const session = response.headers.get('Mcp-Session-Id');
    if (session) headers['Mcp-Session-Id'] = session;
    const answer = await readAnswer(response, id, (params) => onProgress?.(progressIn(params)));
    if (!answer) throw new McpFailure('The gateway ended the call without an answer.');
    const { error, result } = membersOf(answer);
    if (error) throw new McpFailure(String(membersOf(error).message), response.status);
    return result;
  }

  /** Nobody waits for these. @param {string} method @param {string} params */
  const notify = (method, params) =>
    send(`{"jsonrpc":"2.0","method":"${method}","params":${params}}`).then(
      () => {},
      () => {},
    );

  return {
    request,
    notify,
    async open() {
      const clientInfo = '{"name":"dashboard","title":"Dashboard: try a tool","version":"1"}';
      const params = `{"protocolVersion":"${wanted}","capabilities":{},"clientInfo":${clientInfo}}`;
      const { protocolVersion } = membersOf(await request(initializeId, 'initialize', params));
      headers['MCP-Protocol-Version'] = String(protocolVersion);
      await notify('notifications/initialized', '{}');
    },
    /** A courtesy; a session that stays behind expires by itself. */
    close() {
      if (!headers['Mcp-Session-Id']) return;
      fetcher(endpoint, { method: 'DELETE', headers, keepalive: true }).catch(() => {});
    },
  };
}

/**
 * The response to this request, out of one JSON body or out of a stream that may bring progress first.
 * @param {Response} response @param {number} id @param {(params: unknown) => void} onProgress
 * @returns {Promise<unknown>}
 */
async function readAnswer(response, id, onProgress) {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (!isStream || !response.body) return await response.json().catch(() => undefined);
  /** @type {unknown} */
  let answer;
  await readEventStream(response.body, (_, message) => {
    const { method, params, id: of } = membersOf(message);
    if (method === 'notifications/progress') onProgress(params);
    else if (of === id && !method) answer = message;
  });
  return answer;
}

/** @param {unknown} params @returns {Progress} */
function progressIn(params) {
  const { progress, total, message } = membersOf(params);
  return {
    progress: Number(progress),
    total: typeof total === 'number' ? total : undefined,
    message: typeof message === 'string' ? message : undefined,
  };
}
