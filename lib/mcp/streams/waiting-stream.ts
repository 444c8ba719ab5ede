import type { ActiveStream } from './active-streams.ts';

/** Stands in for a stream that is about to be opened, and ends with its session like one that is. */
export function createWaitingStream(streamId: string) {
  const messages: string[] = [];
  let isClosed = false;
  return {
    id: `before ${streamId}`,
    messages,
    isClosed: () => isClosed,
    send: (message: string) => messages.push(message) > 0,
    write: () => true,
    close() {
      isClosed = true;
    },
  } satisfies ActiveStream & Record<string, unknown>;
}
