/** An MCP server at an address that counts how often each call ran, by the id that the call carries. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import type { Config } from '../support/test-servers.ts';
import type { Tool } from './agents.ts';

export interface CountingServer extends Pick<HttpServer, 'close'> {
  readonly config: Config;
  /** How often a call with this id began. */
  runs(id: string): number;
}

/** Both answer with the id. `slow` takes so long that agents get its answer on a stream. */
export const countingTools: readonly Tool[] = ['counting__fast', 'counting__slow'].map((name) => ({
  name,
  args: (id) => ({ id }),
  isAnswer: (text, id) => text === id,
}));
const slowMs = 300;

interface Message {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: { readonly id: string };
    readonly protocolVersion?: string;
  };
}

export async function startCountingServer(): Promise<CountingServer> {
  const counts = new Map<string, number>();

  async function call({ name, arguments: args }: NonNullable<Message['params']>) {
    const id = args?.id ?? '';
    counts.set(id, (counts.get(id) ?? 0) + 1);
    if (name === 'slow') await new Promise((resolve) => setTimeout(resolve, slowMs));
    return { content: [{ type: 'text', text: id }] };
  }

  async function resultOf({ method, params = {} }: Message): Promise<object> {
    if (method === 'tools/call') return await call(params);
    if (method === 'tools/list')
      return { tools: ['fast', 'slow'].map((name) => ({ name, inputSchema: { type: 'object' } })) };
    if (method !== 'initialize') return {};
    const { protocolVersion } = params;
    return {
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'counting', version: '1' },
    };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const message: Message = JSON.parse(await textOf(request));
    if (message.id === undefined) return void response.writeHead(202).end();
    const result = await resultOf(message);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
  }

  const server = await startHttpServer((request, response) => void serve(request, response));
  return {
    config: { name: 'counting', transport: 'streamable_http', url: `http://${server.address}/mcp` },
    runs: (id) => counts.get(id) ?? 0,
    close: server.close,
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
