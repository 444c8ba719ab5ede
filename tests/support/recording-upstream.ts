/** An MCP server over Streamable HTTP with one tool, which keeps the whole of every request that it was sent. */
import { type HttpServer, startHttpServer } from './http-server.ts';

export interface RecordingUpstream {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Every request so far: line, headers and body as one text. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

export async function startRecordingUpstream(): Promise<RecordingUpstream> {
  const requests: string[] = [];
  const server: HttpServer = await startHttpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    requests.push(`${request.method} ${request.url}\n${request.rawHeaders.join('\n')}\n\n${body}`);
    const answer = request.method === 'POST' ? answerTo(JSON.parse(body)) : undefined;
    if (answer === undefined) response.writeHead(request.method === 'POST' ? 202 : 405).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  return { origin: `http://${server.address}`, requests, close: server.close };
}

function answerTo({ id, method }: { id?: unknown; method?: string }): unknown {
  if (id === undefined) return undefined;
  if (method === 'initialize') {
    const serverInfo = { name: 'recording', version: '1' };
    return result(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo });
  }
  return result(
    id,
    method === 'tools/list' ? { tools: [{ name: 'get', inputSchema: { type: 'object' } }] } : {},
  );
}

function result(id: unknown, value: unknown): unknown {
  return { jsonrpc: '2.0', id, result: value };
}
