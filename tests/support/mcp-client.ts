/**
 * Two ways to speak to a group: the official SDK client, as agents do, and a plain one that sends what curl
 * sends (no wish for SSE), for looking at the answers themselves.
 */
import { Client, type ClientOptions } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type RawAnswer, sendRaw } from './raw-http.ts';

export interface ConnectedClient {
  readonly client: Client;
  readonly sessionId: () => string | undefined;
  close(): Promise<void>;
}

/** Connects the SDK client to a group's endpoint. */
export async function connectClient(url: string, options: ClientOptions = {}): Promise<ConnectedClient> {
  const client = new Client({ name: 'test', version: '1' }, options);
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport);
  return { client, sessionId: () => transport.sessionId, close: () => client.close() };
}

/** A JSON-RPC answer as it came, loosely typed: tests compare, they do not trust. */
export interface RpcAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly body: any;
}

export interface PlainSession {
  readonly id: string;
  readonly initialized: RpcAnswer;
  request(method: string, params?: unknown): Promise<RpcAnswer>;
  notify(method: string, params?: unknown): Promise<RpcAnswer>;
  delete(): Promise<number>;
}

/** POSTs one JSON body, like `curl -H 'Content-Type: application/json' -d …`. */
export async function postJson(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<RpcAnswer> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: parsed(text) };
}

/** The same on a connection of its own, which is closed afterwards; never rejects for the network. */
export function postAnew(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const { port, pathname } = new URL(url);
  const text = JSON.stringify(body);
  const all = {
    ...{ Host: '127.0.0.1', Connection: 'close', 'Content-Type': 'application/json' },
    ...{ 'Content-Length': Buffer.byteLength(text), ...headers },
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return sendRaw(Number(port), Buffer.from(`POST ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n${text}`));
}

/** `initialize` and `notifications/initialized`, as plain calls with curl do it. */
export async function openSession(
  url: string,
  { protocolVersion = '2025-03-26', headers = {} as Readonly<Record<string, string>> } = {},
): Promise<PlainSession> {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const initialized = await postJson(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, headers);
  const id = initialized.headers.get('mcp-session-id');
  if (!id) throw new Error(`No session: ${initialized.status} ${initialized.text}`);
  const sessionHeaders = { ...headers, 'mcp-session-id': id };
  let lastId = 0;
  const notify = (method: string, more?: unknown) =>
    postJson(url, { jsonrpc: '2.0', method, params: more }, sessionHeaders);
  await notify('notifications/initialized');
  return {
    id,
    initialized,
    request(method, more) {
      lastId += 1;
      return postJson(url, { jsonrpc: '2.0', id: lastId, method, params: more }, sessionHeaders);
    },
    notify,
    delete: async () => (await fetch(url, { method: 'DELETE', headers: sessionHeaders })).status,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
