/**
 * A client that listens as agents do: it opens the session's event stream, notes what comes, and comes back with the
 * last id it saw when the connection breaks, to the next of the addresses it knows.
 */
export interface StreamClient {
  readonly sessionId: string;
  /** Event id → data, in the order in which they came. */
  readonly received: ReadonlyMap<string, string>;
  /** Ids that came more than once. */
  readonly doubled: readonly string[];
  /** How often it had to come back. */
  visits(): number;
  isOpen(): boolean;
  close(): void;
}

export interface StreamClientOptions {
  readonly sessionId: string;
  /** The first one is where it begins. */
  readonly urls: readonly string[];
  readonly protocolVersion?: string;
  readonly lastEventId?: string;
}

const retryMs = 50;

export function openStreamClient({ sessionId, urls, lastEventId: first }: StreamClientOptions): StreamClient {
  const received = new Map<string, string>();
  const doubled: string[] = [];
  const leaving = new AbortController();
  let lastEventId = first;
  let visits = 0;
  let isOpen = false;

  function take(event: string): void {
    const id = /^id: (.*)$/m.exec(event)?.[1];
    if (id === undefined) return;
    lastEventId = id;
    const data = /^data: (.+)$/m.exec(event)?.[1];
    if (data === undefined) return;
    if (received.has(id)) doubled.push(id);
    received.set(id, data);
  }

  async function visit(): Promise<void> {
    const url = urls[visits % urls.length] ?? '';
    visits += 1;
    const headers: Record<string, string> = { accept: 'text/event-stream', 'mcp-session-id': sessionId };
    if (lastEventId !== undefined) headers['last-event-id'] = lastEventId;
    const response = await fetch(url, { headers, signal: leaving.signal });
    if (!response.ok || response.body === null) throw new Error(`GET: ${response.status}`);
    isOpen = true;
    let rest = '';
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const events = (rest + text).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) take(event);
    }
  }

  async function stay(): Promise<void> {
    while (!leaving.signal.aborted) {
      await visit().catch(() => {});
      isOpen = false;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }

  void stay();
  return {
    sessionId,
    received,
    doubled,
    visits: () => visits,
    isOpen: () => isOpen,
    close: () => leaving.abort(),
  };
}
