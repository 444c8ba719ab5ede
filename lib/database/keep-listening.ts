/**
 * Maintains one connection that LISTENs: reconnects with a capped back-off, detects a connection that died silently,
 * and reports when notifications may have been missed. Pooled connections cannot do this, since LISTEN belongs to its
 * connection.
 */
import { createBackOff } from '../async/back-off.ts';
import type { Log } from '../log.ts';
import type { Unlisten } from './database.ts';

export interface ListenerClient {
  connect(): Promise<unknown>;
  query(text: string): Promise<unknown>;
  end(): Promise<unknown>;
  on(event: 'notification', listener: (message: { channel: string; payload?: string }) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
}

export interface ListenOptions {
  readonly createClient: () => ListenerClient;
  readonly channel: string;
  readonly onPayload: (payload: string) => void;
  readonly onGap: () => void;
  readonly onBroken?: (() => void) | undefined;
  readonly log: Log;
  /** How often the connection is tested: a vanished host closes nothing. */
  readonly checkEveryMs?: number;
}

/** Resolves after the first attempt, also after a failed one: further attempts then follow, and a gap. */
export async function keepListening(options: ListenOptions): Promise<Unlisten> {
  const { onGap, log, checkEveryMs = 10_000 } = options;
  let current: ListenerClient | undefined;
  let isStopped = false;
  let isBroken = false;
  const backOff = createBackOff({ firstMs: 250, longestMs: 2000 });
  let retry: ReturnType<typeof setTimeout> | undefined;

  function lose(client: ListenerClient, error: unknown): void {
    if (isStopped || client !== current) return;
    current = undefined;
    client.end().catch(() => {});
    if (!isBroken) {
      log.warn({ channel: options.channel, error }, 'Database notifications are interrupted');
      options.onBroken?.();
    }
    retry = setTimeout(connect, backOff.next());
    isBroken = true;
  }

  async function connect(): Promise<void> {
    const client = createListener(options, (error) => lose(client, error));
    current = client;
    try {
      await client.connect();
      await client.query(`listen ${options.channel}`);
    } catch (error) {
      lose(client, error);
      return;
    }
    if (client !== current || !isBroken) return;
    isBroken = false;
    backOff.reset();
    log.info({ channel: options.channel }, 'Database notifications flow again');
    onGap();
  }

  const check = setInterval(() => {
    const client = current;
    client?.query('select 1').catch((error: unknown) => lose(client, error));
  }, checkEveryMs);

  await connect();

  return async () => {
    isStopped = true;
    clearTimeout(retry);
    clearInterval(check);
    await current?.end().catch(() => {});
  };
}

function createListener(options: ListenOptions, onLost: (error: unknown) => void): ListenerClient {
  if (!/^[a-z_]+$/.test(options.channel)) throw new Error('Expected a channel of lower case letters and _');
  const client = options.createClient();
  client.on('error', onLost);
  client.on('end', () => onLost(new Error('The connection ended')));
  client.on('notification', ({ channel, payload }) => {
    if (channel === options.channel) options.onPayload(payload ?? '');
  });
  return client;
}
