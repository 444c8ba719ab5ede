import type { Bus } from '../../events/bus.ts';
import type { ActiveCalls } from './active-calls.ts';

/**
 * A client's cancellation may reach another process than the one that works on the request (rule 42): what is not
 * found here is news. The session in it was checked by the process that took the cancellation.
 */
const mostIdCharacters = 256;

/** Ids hold no space, so the first one ends the session's. */
export function shareCancellations(calls: ActiveCalls, bus: Bus): ActiveCalls {
  bus.subscribe(({ type, name }, origin) => {
    if (type !== 'cancelled' || origin === 'local') return;
    const end = name.indexOf(' ');
    calls.cancel(name.slice(0, end), name.slice(end + 1));
  });

  return {
    ...calls,
    cancel(sessionId, requestId) {
      const isFound = calls.cancel(sessionId, requestId);
      // News have a limit of their own, and nobody has such an id.
      if (!isFound && requestId.length <= mostIdCharacters) {
        bus.publish({ type: 'cancelled', name: `${sessionId} ${requestId}` });
      }
      return isFound;
    },
  };
}
