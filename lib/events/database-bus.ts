/**
 * The bus between processes that share a database: NOTIFY on one channel, with the publishing process, the
 * kind of news and a name, never more. This process's subscribers hear at once and do not depend on the
 * database; news for the others wait while it is away, each once, the oldest given up beyond a limit.
 */
import type { Database, Unlisten } from '../database/database.ts';
import { toFailure } from '../http/failure.ts';
import type { Log } from '../observe/log.ts';
import type { Bus, News } from './bus.ts';
import { createLocalBus } from './local-bus.ts';
import { decodeNews, encodeNews } from './news-message.ts';

export interface DatabaseBus extends Bus {
  /** Begins to hear other processes, once. Never rejects because the database is away: it goes on trying. */
  start(): Promise<void>;
  /** Sends what is waiting, if the database takes it now, and stops hearing. */
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

export function createDatabaseBus({ database, processId, log }: DatabaseBusOptions): DatabaseBus {
  const local = createLocalBus({ log });
  /** Encoded, so that identical news are one; in the order of their latest publication. */
  const waiting = new Set<string>();
  let sending: Promise<void> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let isAway = false;
  let listening: Promise<Unlisten> | undefined;

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
    const message = decodeNews(payload);
    if (message && message.processId !== processId) local.deliver(message.news, 'remote');
  }

  return {
    subscribe: local.subscribe,
    onGap: local.onGap,

    publish(news: News) {
      local.publish(news);
      if (news.type === 'server') return;
      enqueue(encodeNews(processId, news));
      sendSoon();
    },

    async start() {
      listening ??= database.listen?.(channel, hear, local.reportGap);
      await listening;
    },

    async close() {
      clearTimeout(retry);
      retry = undefined;
      if (waiting.size > 0) sendSoon();
      while (sending) await sending;
      clearTimeout(retry);
      await (await listening)?.();
    },
  };
}
