import type { RequestMessage } from './message.ts';
import type { CallScope, Method, MethodDependencies } from './methods.ts';

/** What `dispatch` catches: a cancelled request gets no answer (2025-11-25 basic/utilities/cancellation). */
export const cancelled = Symbol('cancelled');

/** A method that the client may cancel, and that counts against the limit of its session. */
export function cancellable(
  method: (message: RequestMessage, scope: CallScope, dependencies: MethodDependencies) => Promise<string>,
): Method {
  return (message, scope, dependencies) => {
    const { signal, end } = dependencies.calls.begin(scope.session.id, message.id);
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => {
        end();
        reject(error);
      };
      // At once, whatever the server and its connection do about it: it may not even have been started yet.
      signal.addEventListener('abort', () => fail(cancelled));
      method(message, { ...scope, signal }, dependencies).then((text) => {
        end();
        resolve(text);
      }, fail);
    });
  };
}
