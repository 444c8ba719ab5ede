import { type AnswerHead, type AnswerReader, createAnswerReader } from './node-answer-readers.ts';
import type { HttpExchange } from './node-http-connection.ts';
import type { HeaderFields, HttpEndpoint } from './node-http-endpoint.ts';

/** An MCP session with a server over HTTP: the headers that all of its requests have in common, and its end. */
export interface HttpSession {
  post(text: string, reader: AnswerReader): HttpExchange;
  openStream(more: HeaderFields, reader: AnswerReader): HttpExchange;
  /** The server names the session in its first answer. */
  readId(head: AnswerHead): void;
  /** A session without a name cannot be distinguished from the sessions of other connections. */
  isNamed(): boolean;
  setVersion(protocolVersion: string): void;
  /** The protocol has 404 for a session that is gone; some servers answer 400 with a text about the session. */
  isGone(status: number, text: string): boolean;
  /** Sends DELETE, if the server named a session. Resolves when the server has answered, or soon. */
  end(): Promise<void>;
}

const endWaitMs = 1000;

export function createHttpSession(endpoint: HttpEndpoint): HttpSession {
  let id: string | undefined;
  let headers: HeaderFields = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  let postHead = endpoint.prepare('POST', headers);

  function addHeaders(more: HeaderFields): void {
    headers = { ...headers, ...more };
    postHead = endpoint.prepare('POST', headers);
  }

  return {
    post: (text, reader) => endpoint.send(postHead, text, reader),
    openStream(more, reader) {
      const head = endpoint.prepare('GET', { ...headers, accept: 'text/event-stream', ...more });
      return endpoint.send(head, undefined, reader);
    },
    readId(head) {
      const named = head.headers.get('mcp-session-id');
      if (id !== undefined || named === undefined) return;
      id = named;
      addHeaders({ 'mcp-session-id': named });
    },
    isNamed: () => id !== undefined,
    setVersion: (protocolVersion) => addHeaders({ 'mcp-protocol-version': protocolVersion }),
    isGone: (status, text) =>
      id !== undefined && (status === 404 || (status === 400 && /session/i.test(text))),
    async end() {
      if (id === undefined) return;
      await new Promise<void>((resolve) => {
        const onOver = () => {
          clearTimeout(timer);
          resolve();
        };
        const reader = createAnswerReader({ onHead: () => undefined, onFailed: () => {}, onOver });
        const exchange = endpoint.send(endpoint.prepare('DELETE', headers), undefined, reader);
        const timer = setTimeout(() => {
          exchange.abort();
          resolve();
        }, endWaitMs);
      });
    },
  };
}
