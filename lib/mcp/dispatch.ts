import { Failure, toFailure } from '../failure.ts';
import { memberText } from '../json/raw-json.ts';
import {
  idText,
  isId,
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
} from '../json-rpc/client-messages.ts';
import { failureText, resultText, statusOfMethodFailure } from '../json-rpc/write.ts';
import type { ClientRequests } from '../sessions/client-requests/client-requests.ts';
import type { Answer } from './content-negotiation.ts';
import { callTool, failedCall } from './methods/call-tool.ts';
import { complete } from './methods/complete.ts';
import { getPrompt } from './methods/get-prompt.ts';
import { answerListTools, listFeatures } from './methods/lists.ts';
import { changeSubscription, readResource } from './methods/resources.ts';
import type { CallScope, Method, MethodDependencies, Scope } from './methods/scope.ts';
import { setLogLevel } from './methods/set-log-level.ts';

/** The table of methods, and the common handling of all methods: errors and cancelling. */
export interface DispatchDependencies extends MethodDependencies {
  readonly clientRequests: Pick<ClientRequests, 'take'>;
  /** Logs an unexpected error and returns the id that the answer carries too. */
  readonly reportInternal: (failure: Failure) => string;
}

/** Every method of a live session, one line each. */
const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['ping', (message) => resultText(message.id, '{}')],
  ['tools/list', answerListTools],
  ['tools/call', cancellable(callTool, failedCall)],
  ['prompts/list', listFeatures('prompts', 'promptsResult')],
  ['prompts/get', cancellable(getPrompt)],
  ['resources/list', listFeatures('resources', 'resourcesResult')],
  ['resources/templates/list', listFeatures('resources', 'templatesResult')],
  ['resources/read', cancellable(readResource)],
  ['resources/subscribe', cancellable(changeSubscription('added'))],
  ['resources/unsubscribe', cancellable(changeSubscription('removed'))],
  ['completion/complete', cancellable(complete)],
  ['logging/setLevel', setLogLevel],
]);

/** A cancelled request gets no answer (2025-11-25 basic/utilities/cancellation). */
const cancelled = Symbol('cancelled');

/** Answers one request; never throws. A cancelled one has no text. */
export async function dispatch(
  message: RequestMessage,
  scope: Scope,
  dependencies: DispatchDependencies,
): Promise<Answer> {
  const method = methods.get(message.method);
  try {
    if (method === undefined) throw unknownMethod(message.method);
    return { text: await method(message, scope, dependencies), status: 200 };
  } catch (error) {
    return error === cancelled
      ? { text: undefined, status: 202 }
      : failedAnswer(message.id, error, dependencies);
  }
}

/** The answer to a message that failed; the one place where errors become JSON-RPC. @param id raw JSON text. */
export function failedAnswer(
  id: string,
  error: unknown,
  { reportInternal }: Pick<DispatchDependencies, 'reportInternal'>,
): Answer {
  const failure = toFailure(error);
  const requestId = failure.code === 'internal' ? reportInternal(failure) : undefined;
  return {
    text: failureText(id, failure, requestId),
    status: statusOfMethodFailure(failure),
    headers: failure.headers,
  };
}

/** Accepts a message that gets no answer: a client's notification, or its answer to a request of ours. */
export function accept(
  message: NotificationMessage | ResponseMessage,
  { session }: Pick<Scope, 'session'>,
  dependencies: Pick<DispatchDependencies, 'calls' | 'upstreams' | 'clientRequests'>,
): void | Promise<void> {
  if (message.kind === 'response') return dependencies.clientRequests.take(session, message);
  // All other notifications are accepted and dropped (docs/protocol.md, rule 6).
  if (message.method === 'notifications/roots/list_changed') dependencies.upstreams.rootsChanged(session.id);
  if (message.method !== 'notifications/cancelled') return;
  const id = message.params.requestId;
  if (!isId(id)) return;
  dependencies.calls.cancel(session.id, idText(id, memberText(message.text, 'params') ?? '', 'requestId'));
}

/**
 * A method that the client may cancel, and that counts against the limit of its session.
 * @param answerEnded The answer when the gateway ends the call; throws, as by default, for an error.
 */
function cancellable(
  method: (message: RequestMessage, scope: CallScope, dependencies: MethodDependencies) => Promise<string>,
  answerEnded: (message: RequestMessage, failure: Failure) => string = failWith,
): Method {
  return (message, scope, dependencies) => {
    const { signal, end } = dependencies.calls.begin(scope.session.id, message.id);
    if (signal.reason instanceof Failure) return answerEnded(message, signal.reason);
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => {
        end();
        reject(error);
      };
      // At once, regardless of the server and its connection: the server may not even have started yet.
      signal.addEventListener('abort', () => {
        const { reason } = signal;
        if (!(reason instanceof Failure)) return fail(cancelled);
        end();
        const answer = async () => answerEnded(message, reason);
        resolve(answer());
      });
      method(message, { ...scope, signal }, dependencies).then((text) => {
        end();
        resolve(text);
      }, fail);
    });
  };
}

function failWith(_message: RequestMessage, failure: Failure): never {
  throw failure;
}

function unknownMethod(method: string): Failure {
  return new Failure('method_not_found', `Unknown method: ${JSON.stringify(method.slice(0, 128))}`);
}
