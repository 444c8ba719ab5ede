import { Failure, toFailure } from '../http/failure.ts';
import type { Session } from '../sessions/sessions.ts';
import type { ActiveCalls } from './active-calls.ts';
import { failureText, resultText, statusOfMethodFailure } from './answers.ts';
import { callTool, type ToolCallDependencies } from './call-tool.ts';
import type { GroupView } from './group-views.ts';
import { listTools } from './list-tools.ts';
import { idText, isId, type NotificationMessage, type RequestMessage } from './message.ts';
import { memberText } from './raw-json.ts';
import type { Answer } from './stream-answer.ts';

/** The table of methods on a live session, and what every one of them has in common: errors and cancelling. */
export interface Scope {
  readonly session: Session;
  readonly view: GroupView;
  readonly emit: ((message: string) => void) | undefined;
}

export interface DispatchDependencies extends ToolCallDependencies {
  readonly calls: ActiveCalls;
  readonly toolsPageSize: number;
  /** Logs what nobody threw on purpose and returns the id that the answer carries too. */
  readonly reportInternal: (failure: Failure) => string;
}

type Method = (
  message: RequestMessage,
  scope: Scope,
  dependencies: DispatchDependencies,
) => string | Promise<string>;

const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['ping', (message) => resultText(message.id, '{}')],
  [
    'tools/list',
    (message, { view }, { toolsPageSize }) =>
      resultText(message.id, listTools(message.params, view, toolsPageSize)),
  ],
  ['tools/call', callToolInSession],
]);

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

/** Notifications that mean something to us; all others are accepted and dropped (rule 6). */
export function takeNotification(message: NotificationMessage, session: Session, calls: ActiveCalls): void {
  if (message.method !== 'notifications/cancelled') return;
  const id = message.params.requestId;
  if (isId(id)) calls.cancel(session.id, idText(id, memberText(message.text, 'params') ?? '', 'requestId'));
}

const cancelled = Symbol('cancelled');

async function callToolInSession(
  message: RequestMessage,
  { session, view, emit }: Scope,
  dependencies: DispatchDependencies,
): Promise<string> {
  const { signal, end } = dependencies.calls.begin(session.id, message.id);
  try {
    return await new Promise((resolve, reject) => {
      // At once, whatever the server and its connection do about it: it may not even have been started yet.
      signal.addEventListener('abort', () => reject(cancelled));
      callTool({ message, view, emit, sessionId: session.id, signal }, dependencies).then(resolve, reject);
    });
  } finally {
    end();
  }
}

function unknownMethod(method: string): Failure {
  return new Failure('method_not_found', `Unknown method: ${JSON.stringify(method.slice(0, 128))}`);
}
