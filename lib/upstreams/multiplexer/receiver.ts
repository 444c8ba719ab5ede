import { memberText } from '../../json/raw-json.ts';
import {
  type IncomingAnswer,
  type IncomingMessage,
  type IncomingNotification,
  type RefusedMessage,
  readMessages,
  type ServerMessage,
} from '../../json-rpc/server-messages.ts';
import { errorText, notificationText } from '../../json-rpc/write.ts';
import type { UnsolicitedNotification } from '../sessions/session-clients.ts';
import { excesses, tooMuch, unavailable } from '../upstream-failures.ts';
import { createElicitations } from './elicitations.ts';
import { withServerLogger } from './named-params.ts';
import type { OutsideQuestions } from './outside-questions.ts';
import type { PendingCalls } from './pending-calls.ts';
import { createServerRequests } from './server-requests.ts';

/** Notifications of a server that belong to no call. */
export interface ServerNotifications {
  readonly onListChanged: () => void;
  /** Any other notification; log messages already carry the server's name, and are for one session. */
  readonly onUnsolicited?: ((notification: UnsolicitedNotification) => void) | undefined;
  /** A log message that may belong to any of several sessions was dropped. */
  readonly onUndelivered?: (() => void) | undefined;
  /** The server asked a client something outside of a call's stream, so that the question does not name its session. */
  readonly onAskedBack?: (() => void) | undefined;
}

/**
 * Delivers the messages of a server: answers and progress to the pending call, requests and log messages to the client of
 * the call or session they belong to. Messages with late, doubled or invented ids are dropped, and so are those whose
 * session is uncertain.
 */
export interface ReceiverOptions extends ServerNotifications {
  readonly server: string;
  readonly pending: PendingCalls;
  readonly send: (text: string) => void;
  readonly outside: Pick<OutsideQuestions, 'ask'>;
  /** The one session of the connection; absent: any. */
  readonly sessionId?: string | undefined;
  /** A call has ended, so that the next in the queue may be sent. */
  readonly onAnswered: () => void;
  /** Text in place of a message. */
  readonly onStray?: ((text: string) => void) | undefined;
  /** The server does not speak MCP; `reason` continues "the server is unavailable: …". */
  readonly onNonsense: (reason: string) => void;
}

/** A program may print a banner; one that only prints is no MCP server. */
const mostLinesWithoutMessage = 1000;

const logMessage = 'notifications/message';
const completed = 'notifications/elicitation/complete';

/** @returns the receiver of each message, called with the request of ours on whose stream it came. */
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
    else passStray(message);
    for (const one of messages) deliver(one, requestId);
  }

  function passStray(message: ServerMessage): void {
    if (typeof message === 'string') options.onStray?.(message);
    if (++linesWithoutMessage > mostLinesWithoutMessage) options.onNonsense('what it writes is no MCP');
  }

  function deliver(message: IncomingMessage, requestId: number | undefined): void {
    if (message.kind === 'answer') deliverAnswer(message);
    else if (message.kind === 'refused') refuse(message);
    else if (message.kind === 'notification') deliverNotification(message, requestId);
    else if (isEcho(message.id, message.method)) {
      options.onNonsense('it repeats what it is sent, so it is no MCP server');
    } else requests.answer(message, requestId);
  }

  function deliverAnswer({ id, text, judged }: IncomingAnswer): void {
    const call = typeof id === 'number' ? pending.complete(id) : undefined;
    if (call === undefined) return;
    const result = judged === undefined ? memberText(text, 'result') : judged.result;
    const error = result === undefined ? (judged?.error ?? memberText(text, 'error')) : undefined;
    if (result !== undefined) call.resolve(judged ? { result, isError: judged.isError } : { result });
    else if (error?.startsWith('{')) {
      elicitations.recordError(error, call);
      call.resolve({ error });
    } else call.reject(unavailable(server, 'its answer holds neither a result nor an error'));
    options.onAnswered();
  }

  /** A refused notification needs no answer. */
  function refuse({ id, method, excess }: RefusedMessage): void {
    if (typeof method === 'string') {
      const error = JSON.stringify({
        code: -32600,
        message: `The message was refused: it ${excesses[excess]}.`,
      });
      if (id !== undefined) options.send(errorText(JSON.stringify(id), error));
    } else if (typeof id === 'number') {
      const call = pending.complete(id);
      call?.reject(tooMuch(server, excess));
      if (call !== undefined) options.onAnswered();
    }
  }

  function isEcho(id: unknown, method: string): boolean {
    return typeof id === 'number' && pending.byId.get(id)?.method === method;
  }

  function deliverNotification(notification: IncomingNotification, requestId: number | undefined): void {
    const { method, text } = notification;
    if (method === 'notifications/progress') deliverProgress(notification.progressToken, text);
    else if (method === logMessage) deliverLog(text, requestId);
    else if (method === 'notifications/cancelled') requests.cancel(notification.requestId);
    else if (method === 'notifications/tools/list_changed') options.onListChanged();
    else if (method === completed) deliverCompletion(text);
    else options.onUnsolicited?.({ method, text });
  }

  /** Our request ids are the progress tokens (docs/protocol.md, rule 41). */
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

  /** On the stream of the call while it is pending. */
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
 * The notification for a client, with `params` alone: with other members of the server's message, such as an id, some
 * clients would take it for an answer to one of their calls.
 */
function ofParams(method: string, text: string): string {
  return notificationText(method, memberText(text, 'params') ?? '{}');
}
