/** Clients that come back to a stream, at two processes with one log. */
import * as assert from 'uvu/assert';
import type { AnswerStream } from '../../lib/mcp/streams/answer-streams.ts';
import type { EventLog } from '../../lib/sessions/event-log/event-log.ts';
import { createLinkedBuses } from './linked-buses.ts';
import { type EventReader, openReader } from './mcp-exchange.ts';
import { createMemoryEventLog } from './memory-event-log.ts';
import { createStreamParts, someSession } from './stream-parts.ts';

export const resumable = someSession('2025-11-25');

export function twoProcesses(adapt = (log: EventLog) => log) {
  let now = 0;
  const log = adapt(createMemoryEventLog({ now: () => now }));
  const buses = createLinkedBuses();
  const [a, b] = buses.map((bus) => createStreamParts({ log, bus, now: () => now })) as [Parts, Parts];
  opened.push(a, b);
  return { a, b, log, passSeconds: (seconds: number) => (now += seconds * 1000) };
}

export type Parts = ReturnType<typeof createStreamParts>;
export type Pair = ReturnType<typeof twoProcesses>;
const opened: Parts[] = [];

/** After each test. */
export function closeProcesses(): void {
  for (const { streams, answerStreams } of opened.splice(0)) {
    streams.closeAll();
    answerStreams.close();
  }
}

export interface Visit {
  readonly lastEventId?: string | null;
  readonly authorization?: string | null;
  readonly session?: typeof resumable;
}

export async function listen({ streams }: Parts, visit: Visit = {}) {
  const leaving = new AbortController();
  const usual = { session: resumable, authorization: null, lastEventId: null, signal: leaving.signal };
  const reader = openReader(new Response(await streams.open({ ...usual, ...visit })));
  assert.match(await reader.next(), /^(: open|retry: 5000\ndata: )$/);
  return { ...reader, leave: () => leaving.abort() };
}

export function answer(
  { answerStreams }: Parts,
  authorization: string | null = null,
): AnswerStream & EventReader {
  const stream = answerStreams.open({ session: resumable, authorization, fallbackAnswer: '{"lost":1}' });
  return { ...stream, ...openReader(new Response(stream.body)) };
}

export function idIn(event: string): string {
  return /^id: (.*)$/m.exec(event)?.[1] ?? '';
}

export function dataIn(event: string): string | undefined {
  return /^data: (.*)$/m.exec(event)?.[1];
}

export function silence(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, 30));
}

/** What a stream has for its reader until it is silent. */
export async function drain(reader: EventReader): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const event = await Promise.race([reader.nextWithId(), silence()]);
    if (event === undefined || event === 'closed') return found;
    found.push(dataIn(event) ?? event);
  }
}
