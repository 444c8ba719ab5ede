/**
 * The bus between processes that share a database: NOTIFY on one channel, with the publishing process, the
 * kind of news and a name, never more. This process's subscribers hear at once and do not depend on the
 * database; news for the others wait while it is away, each once, the oldest given up beyond a limit. While
 * nothing can be heard of others although the database answers, everybody is told to look for himself, over and over.
 */
import type { Database, Unlisten } from '../database/database.ts';
import { toFailure } from '../failure.ts';
import type { Log } from '../log.ts';
import type { Bus, BusMessage } from './bus.ts';
import { decodeBusMessage, encodeBusMessage, travels } from './bus-message.ts';
import { createLocalBus } from './local-bus.ts';

export interface DatabaseBus extends Bus {
  /** Begins to hear other processes, once. Never rejects because the database is away: it goes on trying. */
  start(): Promise<void>;
  /** Sends what is waiting, if the database takes it now, and stops hearing; all subscribers leave. */
  close(): Promise<void>;
}

export interface DatabaseBusOptions {
  readonly database: Pick<Database, 'query' | 'listen'>;
  /** Differs between processes: by it each knows its own echoes. */
  readonly processId: string;
  readonly log: Log;
}

const channel = 'svc_mcp_news';
const mostWaiting = 1000;
const retryMs = 1000;
const lookEveryMs = 2000;
const graceMs = 50;
/** A NOTIFY holds less than 8,000 bytes, and one that is refused would take its whole batch along. */
const mostBytes = 7000;

export function createDatabaseBus({ database, processId, log }: DatabaseBusOptions): DatabaseBus {
  const local = createLocalBus({ log });
  /** Encoded, so that identical news are one; in the order of their latest publication. */
  const waiting = new Set<string>();
  /** Who waits to hear his own news. */
  const echoes = new Map<string, () => void>();
  let sending: Promise<void> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let isAway = false;
  let listening: Promise<Unlisten> | undefined;
  let looking: ReturnType<typeof setInterval> | undefined;

  function lookInstead(): void {
    looking ??= setInterval(() => {
      // While the database is away there is nothing to be read, and what is cached has to do.
      database.query('select 1').then(local.reportGap, () => {});
    }, lookEveryMs);
  }

  function hearAgain(): void {
    clearInterval(looking);
    looking = undefined;
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
    // After this tick: what it publishes twice is sent once.
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
      keep(batch, error);
    }
  }

  function keep(batch: string[], error: unknown): void {
    if (toFailure(error).code !== 'database_unavailable') {
      log.error(
        { error, count: batch.length },
        'News for other processes are lost: the database refused them',
      );
      return;
    }
    if (!isAway) log.warn({ error }, 'News for other processes wait until the database is back');
    isAway = true;
    const newer = [...waiting];
    waiting.clear();
    for (const message of [...batch, ...newer]) enqueue(message);
    retry = setTimeout(() => {
      retry = undefined;
      sendSoon();
    }, retryMs);
  }

  function hear(payload: string): void {
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
        log.warn({ type: busMessage.type }, 'News with too long a name stay in this process');
        return;
      }
      enqueue(message);
      sendSoon();
    },

    /** What we hear ourselves the others were told at the same moment, but they may be busy. */
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
      listening ??= database.listen?.(channel, hear, hearAgain, lookInstead);
      await listening;
    },

    async close() {
      clearTimeout(retry);
      clearInterval(looking);
      retry = undefined;
      if (waiting.size > 0) sendSoon();
      while (sending) await sending;
      clearTimeout(retry);
      await (await listening)?.();
      local.close();
    },
  };
}
