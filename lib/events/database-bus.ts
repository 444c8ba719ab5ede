import type { Database, Unlisten } from '../database/database.ts';
import { toFailure } from '../failure.ts';
import type { Log } from '../log.ts';
import type { Bus, BusMessage } from './bus.ts';
import { createLocalBus } from './local-bus.ts';

/**
 * The bus between processes that share a database: NOTIFY on one channel, with the publishing process, the type of the
 * message and a name, never more. Subscribers in this process receive a message at once, whatever the database does;
 * messages for other processes wait while the database is away, each once, the oldest given up beyond a limit. While
 * the database answers and LISTEN does not work, subscribers are told every 2 s to reload.
 */
export interface DatabaseBus extends Bus {
  /** Begins to listen to other processes, once. While the database is away it goes on trying and does not reject. */
  start(): Promise<void>;
  /** Sends what is waiting, if the database takes it now, and stops hearing; all subscribers leave. */
  close(): Promise<void>;
}

export interface DatabaseBusOptions {
  readonly database: Pick<Database, 'query' | 'listen'>;
  /** Differs between processes: each recognizes its own messages by it. */
  readonly processId: string;
  readonly log: Log;
}

const channel = 'svc_mcp_news';
const mostWaiting = 1000;
const retryMs = 1000;
const pollEveryMs = 2000;
const graceMs = 50;
/** A NOTIFY holds less than 8,000 bytes, and one that is refused would take its whole batch along. */
const mostBytes = 7000;

export function createDatabaseBus({ database, processId, log }: DatabaseBusOptions): DatabaseBus {
  const local = createLocalBus({ log });
  /** Encoded, so that equal messages are one; in the order of their latest publication. */
  const waiting = new Set<string>();
  /** Resolve when a message of this process comes back. */
  const echoes = new Map<string, () => void>();
  let sending: Promise<void> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let isAway = false;
  let listening: Promise<Unlisten> | undefined;
  let polling: ReturnType<typeof setInterval> | undefined;

  function pollInstead(): void {
    polling ??= setInterval(() => {
      // While the database is away nothing can be reloaded.
      database.query('select 1').then(local.reportGap, () => {});
    }, pollEveryMs);
  }

  function stopPolling(): void {
    clearInterval(polling);
    polling = undefined;
    local.reportGap();
  }

  function enqueue(message: string): void {
    waiting.delete(message);
    waiting.add(message);
    for (const oldest of waiting) {
      if (waiting.size <= mostWaiting) break;
      waiting.delete(oldest);
    }
  }

  function sendSoon(): void {
    if (sending || retry) return;
    // After this tick: a message that is published twice in it is sent once.
    sending = Promise.resolve()
      .then(send)
      .finally(() => {
        sending = undefined;
        if (waiting.size > 0) sendSoon();
      });
  }

  async function send(): Promise<void> {
    const batch = [...waiting];
    waiting.clear();
    try {
      await database.query('select pg_notify($1, message)::text from unnest($2::text[]) as message', [
        channel,
        batch,
      ]);
      isAway = false;
    } catch (error) {
      requeue(batch, error);
    }
  }

  function requeue(batch: string[], error: unknown): void {
    if (toFailure(error).code !== 'database_unavailable') {
      log.error(
        { error, count: batch.length },
        'Messages for other processes are lost: the database refused them',
      );
      return;
    }
    if (!isAway) log.warn({ error }, 'Messages for other processes wait until the database is back');
    isAway = true;
    const newer = [...waiting];
    waiting.clear();
    for (const message of [...batch, ...newer]) enqueue(message);
    retry = setTimeout(() => {
      retry = undefined;
      sendSoon();
    }, retryMs);
  }

  function receive(payload: string): void {
    const message = decodeBusMessage(payload);
    if (message?.processId === processId) echoes.get(payload)?.();
    else if (message) local.deliver(message.busMessage, 'remote');
  }

  return {
    subscribe: local.subscribe,
    onGap: local.onGap,

    publish(busMessage: BusMessage) {
      local.publish(busMessage);
      if (!travels(busMessage)) return;
      const message = encodeBusMessage(processId, busMessage);
      if (new TextEncoder().encode(message).byteLength > mostBytes) {
        log.warn({ type: busMessage.type }, 'A message with too long a name stays in this process');
        return;
      }
      enqueue(message);
      sendSoon();
    },

    /** Other processes receive a message at the same moment as this one its own, but they may be busy. */
    async flush(mostMs) {
      const last = [...waiting].at(-1);
      if (last === undefined || listening === undefined) return;
      await new Promise<void>((resolve) => {
        echoes.set(last, () => setTimeout(resolve, graceMs));
        setTimeout(resolve, mostMs);
      });
      echoes.delete(last);
    },

    async start() {
      listening ??= database.listen?.(channel, receive, stopPolling, pollInstead);
      await listening;
    },

    async close() {
      clearTimeout(retry);
      clearInterval(polling);
      retry = undefined;
      if (waiting.size > 0) sendSoon();
      while (sending) await sending;
      clearTimeout(retry);
      await (await listening)?.();
      local.close();
    },
  };
}

/** All but those about this process alone: states of its connections, and its provisions. */
const travellingTypes = [
  'group',
  'group_copy',
  'tools',
  'restart',
  'image_offer',
  'session_closed',
  'session_changed',
  'offers',
  'resource_updated',
  'cancelled',
  'stream',
  'elicitation_complete',
  'client_request',
  'roots_changed',
  'client_answer',
] as const;
type CompactMessage = Extract<BusMessage, { type: (typeof travellingTypes)[number] }>;

const travelling: ReadonlySet<BusMessage['type']> = new Set(travellingTypes);

export function travels(busMessage: BusMessage): busMessage is CompactMessage {
  return travelling.has(busMessage.type);
}

/** Short keys, since a NOTIFY holds less than 8,000 bytes. */
export function encodeBusMessage(processId: string, busMessage: CompactMessage): string {
  return JSON.stringify({ p: processId, t: busMessage.type, n: busMessage.name });
}

/** Undefined for anything that a process of this version would not have sent. */
function decodeBusMessage(payload: string): { processId: string; busMessage: CompactMessage } | undefined {
  const { p, t, n } = parseObject(payload);
  const type = travellingTypes.find((known) => known === t);
  if (!type || typeof p !== 'string' || typeof n !== 'string') return undefined;
  return { processId: p, busMessage: { type, name: n } };
}

function parseObject(payload: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(payload);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
