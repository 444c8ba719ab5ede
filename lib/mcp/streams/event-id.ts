/**
 * Event ids: the stream, and the place in it (2025-11-25 basic/transports, Resumability: unique in the session, and
 * they should name the stream). The first letter of a stream's id is the HTTP method of its request, since streams of
 * GET and POST are resumed differently; the rest is random.
 */
export interface EventPlace {
  readonly streamId: string;
  readonly seq: number;
}

export type StreamKind = 'get' | 'post';

const letters: Readonly<Record<StreamKind, string>> = { get: 'g', post: 'p' };

export function newStreamId(kind: StreamKind, newId: () => string): string {
  return letters[kind] + newId();
}

export function isPostStream(streamId: string): boolean {
  return streamId.startsWith(letters.post);
}

export function eventId({ streamId, seq }: EventPlace): string {
  return `${streamId}-${seq}`;
}

/** Undefined for an id that was not issued here. */
export function readEventId(id: string | null): EventPlace | undefined {
  const [, streamId, seq] = /^([gp][0-9A-Za-z_-]{16,64})-(\d{1,9})$/.exec(id ?? '') ?? [];
  return streamId === undefined ? undefined : { streamId, seq: Number(seq) };
}
