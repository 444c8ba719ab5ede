import { Failure } from '../../failure.ts';
import type { RequestMessage } from '../../json-rpc/client-messages.ts';
import type { CallScope, Method, MethodDependencies } from './scope.ts';

/** What `dispatch` catches: a cancelled request gets no answer (2025-11-25 basic/utilities/cancellation). */
export const cancelled = Symbol('cancelled');

/**
 * A method that the client may cancel, and that counts against the limit of its session.
 * @param answerEnded The answer when it is ended by us and not by its client; throws, as by default, for an error.
 */
export function cancellable(
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
      // At once, whatever the server and its connection do about it: it may not even have been started yet.
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
