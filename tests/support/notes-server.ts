/**
 * An MCP server over Streamable HTTP that changes its tools when it is told to: of those it has in its first edition one
 * is described differently in the second, one is gone and one is new. At `/archive` it never changes. `whoami` answers
 * with the headers it was sent.
 */
import type { IncomingMessage } from 'node:http';
import { startHttpServer } from './http-server.ts';

export type Edition = 'first' | 'second';

export interface NotesServer {
  /** `127.0.0.1:<port>`; every path is a server. */
  readonly address: string;
  show(edition: Edition): void;
  close(): Promise<void>;
}

type Message = {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { name?: string };
};

const inputSchema = { type: 'object', properties: { page: { type: 'integer' } } };
const descriptions: Readonly<Record<Edition, Readonly<Record<string, string>>>> = {
  first: { whoami: 'Who calls', read: 'Reads a page', gone: 'Tears a page out', keep: 'Keeps a page' },
  second: { keep: 'Keeps a page', read: 'Reads a page aloud', whoami: 'Who calls', fresh: 'Adds a page' },
};

export async function startNotesServer(edition: Edition): Promise<NotesServer> {
  let shown = edition;
  const methods: Record<string, (message: Message, request: IncomingMessage) => unknown> = {
    initialize: () => ({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'notes', version: '1' },
    }),
    ping: () => ({}),
    'tools/list': (_message, { url }) => ({
      tools: Object.entries(descriptions[url === '/archive' ? 'first' : shown]).map(
        ([name, description]) => ({ name, description, inputSchema }),
      ),
    }),
    'tools/call': ({ params }, { headers }) => ({
      content: [{ type: 'text', text: params?.name === 'whoami' ? JSON.stringify(headers) : 'noted' }],
    }),
  };
  const server = await startHttpServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405, { allow: 'POST' }).end();
    const message = await readMessage(request);
    if (message.id === undefined) return response.writeHead(202).end();
    const result = methods[message.method ?? '']?.(message, request);
    const error = { code: -32601, message: 'Method not found' };
    const answer = { jsonrpc: '2.0', id: message.id, ...(result === undefined ? { error } : { result }) };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  return {
    address: server.address,
    show(wanted) {
      shown = wanted;
    },
    close: server.close,
  };
}

async function readMessage(request: IncomingMessage): Promise<Message> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}
