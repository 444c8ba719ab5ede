/** Calls a tool as a client that can be asked meanwhile: reads the answer's event stream, and answers the server's requests. */
import { headersOf, type OpenSession } from './installation-view.ts';
import { postJson } from './mcp-client.ts';
import { openReader } from './mcp-exchange.ts';
import type { RunningService } from './run-service.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of any shape
type Message = any;

/** Resolves with all messages of the stream, in order; the call's answer is the last one. */
export async function callOverStream(
  service: RunningService,
  session: OpenSession,
  name: string,
  args: object,
  answer: (request: Message) => unknown,
): Promise<Message[]> {
  const url = service.groupUrl(session.group);
  const headers = { ...headersOf(session), 'content-type': 'application/json' };
  const body = { jsonrpc: '2.0', id: 'call', method: 'tools/call', params: { name, arguments: args } };
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, accept: 'application/json, text/event-stream' },
    body: JSON.stringify(body),
  });
  if (response.headers.get('content-type') !== 'text/event-stream') return [await response.json()];
  const reader = openReader(response);
  const messages: Message[] = [];
  for (let event = await reader.next(); event !== 'closed'; event = await reader.next()) {
    const data = /^data: (.+)$/m.exec(event)?.[1];
    if (data === undefined) continue;
    const message = JSON.parse(data);
    messages.push(message);
    if (message.method === undefined || message.id === undefined) continue;
    await postJson(url, { jsonrpc: '2.0', id: message.id, result: answer(message) }, headers);
  }
  return messages;
}
