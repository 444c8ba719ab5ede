import { isLogMessage, isLogWanted } from '../../json-rpc/log-level.ts';
import { type ClientRequests, canBeAsked } from '../../sessions/client-requests/client-requests.ts';
import type { Session, Sessions } from '../../sessions/sessions.ts';
import type { ClientChannel } from '../../upstreams/upstreams.ts';
import type { AnswerChannel } from '../content-negotiation.ts';

/** Lets servers notify and ask the client whose request they process, on the request's own stream. */
export interface ClientChannels {
  of(session: Session, stream: AnswerChannel): ClientChannel;
  /** By the session's id; undefined when the session is gone, or cannot be read now. */
  find(sessionId: string, stream: AnswerChannel): Promise<ClientChannel | undefined>;
}

interface Dependencies {
  readonly requests: Pick<ClientRequests, 'ask'>;
  readonly sessions: Pick<Sessions, 'peek' | 'find'>;
}

export function createClientChannels({ requests, sessions }: Dependencies): ClientChannels {
  function of(session: Session, { emit, hangUp }: AnswerChannel): ClientChannel {
    return {
      canAnswer: canBeAsked(session.clientCapabilities),
      logLevel: session.logLevel,
      hangUp,
      notify(message) {
        // The level may have changed since the call began.
        const { logLevel } = sessions.peek(session.id) ?? session;
        if (!isLogMessage(message) || isLogWanted(message, logLevel)) emit(message);
      },
      ask: (method, params, signal) => requests.ask({ session, emit }, method, params, signal),
    };
  }

  return {
    of,
    async find(sessionId, stream) {
      const session = await Promise.resolve(sessions.find(sessionId)).catch(() => undefined);
      return session && of(session, stream);
    },
  };
}
