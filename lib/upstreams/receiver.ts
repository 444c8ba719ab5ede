import { memberText } from '../mcp/raw-json.ts';
import { type IncomingMessage, readMessages } from './incoming-messages.ts';
import { answerText } from './messages.ts';
import type { PendingCalls } from './pending-calls.ts';
import { answerServerRequest } from './server-requests.ts';
import { unavailable } from './upstream-failures.ts';

/**
 * Brings what a server sends to whom it concerns: answers and progress to the call that waits, its own requests
 * to the place that answers them. What concerns nobody (late, doubled or invented ids) is dropped.
 */
export interface ReceiverOptions {
  readonly server: string;
  readonly pending: PendingCalls;
  readonly send: (text: string) => void;
  /** A call ended, so that the next one may go. */
  readonly onAnswered: () => void;
  readonly onListChanged: () => void;
  /** It is no MCP server; `reason` continues "the server is unavailable: …". */
  readonly onNonsense: (reason: string) => void;
}

/** A chatty program may print a banner; one that only prints is no MCP server. */
const mostLinesWithoutMessage = 1000;

export function createReceiver(options: ReceiverOptions): (text: string) => void {
  let linesWithoutMessage = 0;

  function receive(text: string): void {
    const messages = readMessages(text);
    if (messages.length > 0) linesWithoutMessage = 0;
    else if (++linesWithoutMessage > mostLinesWithoutMessage) options.onNonsense('what it writes is no MCP');
    for (const message of messages) deliver(message);
  }

  function deliver(message: IncomingMessage): void {
    if (message.kind === 'answer') deliverAnswer(message.id, message.text);
    else if (message.kind === 'request') answer(message.id, message.method);
    else if (message.method === 'notifications/progress')
      deliverProgress(message.progressToken, message.text);
    else if (message.method === 'notifications/tools/list_changed') options.onListChanged();
  }

  function deliverAnswer(id: unknown, text: string): void {
    const call = typeof id === 'number' ? options.pending.take(id) : undefined;
    if (call === undefined) return;
    const result = memberText(text, 'result');
    const error = result === undefined ? memberText(text, 'error') : undefined;
    if (result !== undefined) call.resolve({ result });
    else if (error?.startsWith('{')) call.resolve({ error });
    else call.reject(unavailable(options.server, 'its answer holds neither a result nor an error'));
    options.onAnswered();
  }

  function answer(id: unknown, method: string): void {
    const own = typeof id === 'number' ? options.pending.byId.get(id) : undefined;
    if (own?.method === method) options.onNonsense('it repeats what it is sent, so it is no MCP server');
    else options.send(answerText(id, answerServerRequest(method, options.pending.inFlight)));
  }

  /** Our request ids are the progress tokens (mcp-spec rule 41). */
  function deliverProgress(token: unknown, text: string): void {
    const call = typeof token === 'number' ? options.pending.byId.get(token) : undefined;
    if (call === undefined) return;
    options.pending.extend(call);
    call.onProgress?.(text);
  }

  return receive;
}
