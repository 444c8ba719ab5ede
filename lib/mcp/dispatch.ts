import { Failure, toFailure } from '../failure.ts';
import type { RequestMessage } from '../json-rpc/client-messages.ts';
import { failureText, statusOfMethodFailure } from '../json-rpc/write.ts';
import type { Answer } from './answer-as-json-or-stream.ts';
import { cancelled } from './methods/cancellable.ts';
import { methods } from './methods/methods.ts';
import type { MethodDependencies, Scope } from './methods/scope.ts';

/** From a request to its answer: what every method has in common, errors and cancelling. */
export interface DispatchDependencies extends MethodDependencies {
  /** Logs what nobody threw on purpose and returns the id that the answer carries too. */
  readonly reportInternal: (failure: Failure) => string;
}

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

function unknownMethod(method: string): Failure {
  return new Failure('method_not_found', `Unknown method: ${JSON.stringify(method.slice(0, 128))}`);
}
