import { createKeyedMutex } from '../../async/mutex.ts';
import type { Bus } from '../../events/bus.ts';
import type { ClientRequestRows } from '../../sessions/client-requests/client-request-rows.ts';
import { canBeAsked } from '../calls.ts';
import type { EventStreams } from '../streams/event-streams.ts';

/**
 * Sends servers' requests from outside of calls, of any process, to the clients that listen in this one: after a bus
 * message about them, and when a client begins to listen. Each request is claimed by one process and sent on one stream
 * (`lib/sessions/client-requests/unread-questions.ts` is the other end).
 */
export interface DeliverQuestionsDependencies {
  readonly rows: Pick<ClientRequestRows, 'claim' | 'putBack'>;
  readonly streams: Pick<EventStreams, 'sendToListener' | 'isListening' | 'sessions' | 'onOpen'>;
  readonly bus: Pick<Bus, 'subscribe' | 'publish' | 'onGap'>;
}

export function deliverQuestions({ rows, streams, bus }: DeliverQuestionsDependencies): void {
  // A request is sent before the notification of its cancellation.
  const mutex = createKeyedMutex();

  async function deliver(sessionId: string): Promise<void> {
    if (!streams.isListening(sessionId)) return;
    for (const unsent of await rows.claim(sessionId)) {
      if (streams.sendToListener(sessionId, unsent.message)) continue;
      await rows.putBack(unsent);
      bus.publish({ type: 'client_request', name: sessionId });
    }
  }

  /** While the database is away the client is not asked, and the waiting process gives the request up in time. */
  function poll(sessionId: string): void {
    if (streams.isListening(sessionId)) mutex(sessionId, () => deliver(sessionId)).catch(() => {});
  }

  bus.subscribe(({ type, name }) => {
    if (type === 'client_request') poll(name);
  });
  bus.onGap(() => {
    for (const sessionId of streams.sessions()) poll(sessionId);
  });
  streams.onOpen(({ id, clientCapabilities }) => {
    if (canBeAsked(clientCapabilities)) poll(id);
  });
}
