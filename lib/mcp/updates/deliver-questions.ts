import { createKeyedMutex } from '../../async/mutex.ts';
import type { Bus } from '../../events/bus.ts';
import { canBeAsked } from '../../sessions/client-requests/client-capabilities.ts';
import type { ClientRequestRows } from '../../sessions/client-requests/client-request-rows.ts';
import type { EventStreams } from '../streams/event-streams.ts';

/**
 * Sends what servers ask outside of calls, through whichever process, to the clients that listen in this one
 * (`lib/sessions/client-requests/unread-questions.ts` is the other end): when it is told, and when a client begins to listen. Each
 * question is claimed by one process and sent on one stream.
 */
export interface DeliverQuestionsDependencies {
  readonly rows: Pick<ClientRequestRows, 'claim' | 'putBack'>;
  readonly streams: Pick<EventStreams, 'sendToListener' | 'isListening' | 'sessions' | 'onOpen'>;
  readonly bus: Pick<Bus, 'subscribe' | 'publish' | 'onGap'>;
}

export function deliverQuestions({ rows, streams, bus }: DeliverQuestionsDependencies): void {
  // A question comes before the notification that it was taken back.
  const mutex = createKeyedMutex();

  async function deliver(sessionId: string): Promise<void> {
    if (!streams.isListening(sessionId)) return;
    for (const held of await rows.claim(sessionId)) {
      if (streams.sendToListener(sessionId, held.message)) continue;
      await rows.putBack(held);
      bus.publish({ type: 'client_request', name: sessionId });
    }
  }

  /** While the database is away the client is not asked, and the server is told so in time. */
  function look(sessionId: string): void {
    if (streams.isListening(sessionId)) mutex(sessionId, () => deliver(sessionId)).catch(() => {});
  }

  bus.subscribe(({ type, name }) => {
    if (type === 'client_request') look(name);
  });
  bus.onGap(() => {
    for (const sessionId of streams.sessions()) look(sessionId);
  });
  streams.onOpen(({ id, clientCapabilities }) => {
    if (canBeAsked(clientCapabilities)) look(id);
  });
}
