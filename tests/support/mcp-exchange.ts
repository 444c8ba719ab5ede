/**
 * Speaks MCP over anything that looks like `fetch`, one plain exchange at a time: nothing is sent that a test did
 * not ask for, and answers are shown as they came.
 */
export type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

export const endpoint = '/v0/groups/svc-global/mcp';
export const both = { Accept: 'application/json, text/event-stream' };
export const json = { 'Content-Type': 'application/json' };

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON, or the messages of an event stream; undefined when empty. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly body: any;
}

/** POSTs a message, or text as it is. */
export async function post(
  fetch: Fetch,
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
  path = endpoint,
): Promise<Answer> {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  return read(await fetch(path, { method: 'POST', headers: { ...json, ...headers }, body }));
}

export async function read(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  const isStream = headers.get('content-type') === 'text/event-stream';
  return { status, headers, text, body: isStream ? messagesIn(text) : text && JSON.parse(text) };
}

/** The messages of a complete event stream; comments and events without data are left out. */
export function messagesIn(text: string): unknown[] {
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data ?? ''));
}

export function initializeMessage(protocolVersion: unknown = '2025-03-26'): Record<string, unknown> {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  return { jsonrpc: '2.0', id: 0, method: 'initialize', params };
}

export function request(id: string | number, method: string, params?: unknown): Record<string, unknown> {
  return { jsonrpc: '2.0', id, method, params };
}

export function notification(method: string, params?: unknown): Record<string, unknown> {
  return { jsonrpc: '2.0', method, params };
}

/** The header of a new session. */
export async function openSession(
  fetch: Fetch,
  protocolVersion = '2025-06-18',
  path = endpoint,
): Promise<{ 'Mcp-Session-Id': string }> {
  const { headers, status, text } = await post(fetch, initializeMessage(protocolVersion), {}, path);
  const id = headers.get('mcp-session-id');
  if (id === null) throw new Error(`No session: ${status} ${text}`);
  return { 'Mcp-Session-Id': id };
}

/** Reads a stream that stays open, message by message. */
export interface EventReader {
  /** The next event or comment, without its id and empty line; `closed` when the stream has ended. */
  next(): Promise<string>;
  /** The same with its id. */
  nextWithId(): Promise<string>;
  rest(): Promise<string>;
}

export function openReader(response: Response): EventReader {
  const body = response.body;
  if (body === null) throw new Error('The answer has no body.');
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let buffered = '';
  async function nextWithId(): Promise<string> {
    for (;;) {
      const end = buffered.indexOf('\n\n');
      if (end >= 0) {
        const event = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        return event;
      }
      const { done, value } = await reader.read();
      if (done) return 'closed';
      buffered += value;
    }
  }

  return {
    nextWithId,
    next: async () => (await nextWithId()).replace(/^id: .*\n/, ''),
    async rest() {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return buffered;
        buffered += value;
      }
    },
  };
}
