import { memberText } from '../../json/raw-json.ts';
import {
  type IncomingAnswer,
  type IncomingMessage,
  type IncomingNotification,
  type RefusedMessage,
  readMessages,
} from '../../json-rpc/incoming-messages.ts';
import { answerText, notificationText } from '../../json-rpc/messages.ts';
import type { ServerMessage } from '../../json-rpc/server-message.ts';
import { excesses, tooMuch, unavailable } from '../upstream-failures.ts';
import { createElicitations } from './elicitations.ts';
import { withServerLogger } from './named-params.ts';
import type { OutsideQuestions } from './outside-questions.ts';
import type { PendingCalls } from './pending-calls.ts';
import { createServerRequests } from './server-requests.ts';

/**
 * Brings what a server sends to whom it concerns: answers and progress to the call that waits, its own requests
 * and log messages to the client of the call or session they belong to. What concerns nobody (late, doubled or
 * invented ids), or nobody knows whom, is dropped.
 */
export interface ReceiverOptions extends ServerNotifications {
  readonly server: string;
  readonly pending: PendingCalls;
  readonly send: (text: string) => void;
  readonly outside: Pick<OutsideQuestions, 'ask'>;
  /** The one session that the connection serves; absent: any. */
  readonly sessionId?: string | undefined;
  /** A call ended, so that the next one may go. */
  readonly onAnswered: () => void;
  /** It wrote what is no message. */
  readonly onStray?: ((text: string) => void) | undefined;
  /** It is no MCP server; `reason` continues "the server is unavailable: …". */
  readonly onNonsense: (reason: string) => void;
}

/** A chatty program may print a banner; one that only prints is no MCP server. */
const mostLinesWithoutMessage = 1000;

const logMessage = 'notifications/message';
const completed = 'notifications/elicitation/complete';

/** @returns what takes each message, with the request of ours on whose stream it came. */
export function createReceiver(
  options: ReceiverOptions,
): (message: ServerMessage, requestId?: number) => void {
  const { server, pending } = options;
  const elicitations = createElicitations();
  const requests = createServerRequests({ ...options, elicitations });
  let linesWithoutMessage = 0;

  function receive(message: ServerMessage, requestId?: number): void {
    const messages = readMessages(message);
    if (messages.length > 0) linesWithoutMessage = 0;
    else pass(message);
    for (const one of messages) deliver(one, requestId);
  }

  function pass(message: ServerMessage): void {
    if (typeof message === 'string') options.onStray?.(message);
    if (++linesWithoutMessage > mostLinesWithoutMessage) options.onNonsense('what it writes is no MCP');
  }

  function deliver(message: IncomingMessage, requestId: number | undefined): void {
    if (message.kind === 'answer') deliverAnswer(message);
    else if (message.kind === 'refused') refuse(message);
    else if (message.kind === 'notification') hear(message, requestId);
    else if (isEcho(message.id, message.method)) {
      options.onNonsense('it repeats what it is sent, so it is no MCP server');
    } else requests.answer(message, requestId);
  }

  function deliverAnswer({ id, text, judged }: IncomingAnswer): void {
    const call = typeof id === 'number' ? pending.take(id) : undefined;
    if (call === undefined) return;
    const result = judged === undefined ? memberText(text, 'result') : judged.result;
    const error = result === undefined ? (judged?.error ?? memberText(text, 'error')) : undefined;
    if (result !== undefined) call.resolve(judged ? { result, isError: judged.isError } : { result });
    else if (error?.startsWith('{')) {
      elicitations.noteError(error, call);
      call.resolve({ error });
    } else call.reject(unavailable(server, 'its answer holds neither a result nor an error'));
    options.onAnswered();
  }

  /** Of a notification nobody waits for anything. */
  function refuse({ id, method, excess }: RefusedMessage): void {
    if (typeof method === 'string') {
      const error = JSON.stringify({
        code: -32600,
        message: `The message was refused: it ${excesses[excess]}.`,
      });
      if (id !== undefined) options.send(answerText(id, { error }));
    } else if (typeof id === 'number') {
      const call = pending.take(id);
      call?.reject(tooMuch(server, excess));
      if (call !== undefined) options.onAnswered();
    }
  }

  function isEcho(id: unknown, method: string): boolean {
    return typeof id === 'number' && pending.byId.get(id)?.method === method;
  }

  function hear(notification: IncomingNotification, requestId: number | undefined): void {
    const { method, text } = notification;
    if (method === 'notifications/progress') deliverProgress(notification.progressToken, text);
    else if (method === logMessage) deliverLog(text, requestId);
    else if (method === 'notifications/cancelled') requests.cancel(notification.requestId);
    else if (method === 'notifications/tools/list_changed') options.onListChanged();
    else if (method === completed) deliverCompletion(text);
    else options.onUnsolicited?.({ method, text });
  }

  /** Our request ids are the progress tokens (mcp-spec rule 41). */
  function deliverProgress(token: unknown, text: string): void {
    const call = typeof token === 'number' ? pending.byId.get(token) : undefined;
    if (call === undefined) return;
    pending.extend(call);
    call.onProgress?.(ofParams('notifications/progress', text));
  }

  function deliverLog(text: string, requestId: number | undefined): void {
    const named = withServerLogger(ofParams(logMessage, text), server);
    const call = pending.concernedBy(requestId);
    const { only, areSeveral } = pending.users;
    if (call !== undefined) call.clientChannel?.notify(named);
    else if (only !== undefined)
      options.onUnsolicited?.({ method: logMessage, text: named, sessionId: only });
    else if (areSeveral) options.onUndelivered?.();
  }

  /** On the stream of the call while that is there. */
  function deliverCompletion(text: string): void {
    const call = elicitations.find(text);
    if (call === undefined) return;
    const message = ofParams(completed, text);
    const isOpen = pending.byId.values().some((one) => one === call);
    if (isOpen && call.clientChannel !== undefined) call.clientChannel.notify(message);
    else options.onUnsolicited?.({ method: completed, text: message, sessionId: call.sessionId });
  }

  return receive;
}

/**
 * The notification that a client gets: whatever else the server's message has as members could make an answer, to any
 * of the client's calls, of it for some clients.
 */
function ofParams(method: string, text: string): string {
  return notificationText(method, memberText(text, 'params'));
}

/** What a server says that is no answer and belongs to no call. */
export interface ServerNotifications {
  readonly onListChanged: () => void;
  /** Any other notification; log messages already carry the server's name, and are for one session. */
  readonly onUnsolicited?: ((notification: UnsolicitedNotification) => void) | undefined;
  /** It logged something that may be of any of several sessions, so that none was told. */
  readonly onUndelivered?: (() => void) | undefined;
  /** It asked a client something in no call's stream, so that only our knowledge of who calls tells of which client. */
  readonly onAskedBack?: (() => void) | undefined;
}

export interface UnsolicitedNotification {
  readonly method: string;
  /** The whole message as it came. */
  readonly text: string;
  /** The one session that it is for, if it is not for all who care. */
  readonly sessionId?: string | undefined;
}
