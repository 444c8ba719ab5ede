/** The two kinds of event streams over a log in memory, connected as the service connects them. */
import { createLocalBus, type LocalBus } from '../../lib/events/local-bus.ts';
import { silentLog } from '../../lib/log.ts';
import type { StreamOpening } from '../../lib/mcp/content-negotiation.ts';
import { type AnswerStream, createAnswerStreams } from '../../lib/mcp/streams/answer-streams.ts';
import { createEventStreams } from '../../lib/mcp/streams/event-streams.ts';
import { listChanged } from '../../lib/mcp/views/group-views.ts';
import type { EventLog } from '../../lib/sessions/event-log/event-log.ts';
import type { Session } from '../../lib/sessions/sessions.ts';
import { newSessionId } from '../../lib/text/node-random-id.ts';
import { createMemoryEventLog } from './memory-event-log.ts';

export interface StreamPartsOptions {
  readonly log?: EventLog;
  readonly bus?: LocalBus;
  readonly now?: () => number;
}

/** One process's streams; give two of them one log to have two processes. */
export function createStreamParts(options: StreamPartsOptions = {}) {
  const now = options.now ?? (() => performance.now());
  const log = options.log ?? createMemoryEventLog({ now });
  const bus = options.bus ?? createLocalBus({ log: silentLog });
  const parts = { log, bus, now, newId: newSessionId };
  const streams = createEventStreams({ ...parts, listChanges: () => [listChanged('tools')], readAgainMs: 5 });
  const answerStreams = createAnswerStreams(parts);
  return { ...parts, streams, answerStreams };
}

export function someSession(protocolVersion = '2025-06-18', id = 's'): Session {
  return { id, group: 'g', protocolVersion, clientCapabilities: {}, clientInfo: {} };
}

/** Opens streams that belong to nobody in particular. */
export function someOpening(): StreamOpening & { readonly opened: AnswerStream[] } {
  const { answerStreams } = createStreamParts();
  const opened: AnswerStream[] = [];
  const owner = { session: someSession(), authorization: null, fallbackAnswer: '' };
  return {
    opened,
    slowCallTimer: answerStreams.slowCallTimer,
    open() {
      const stream = answerStreams.open(owner);
      opened.push(stream);
      return stream;
    },
  };
}
