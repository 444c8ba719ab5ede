import { Failure } from '../failure.ts';

/**
 * What a client of the endpoint can read. The specification puts the duty to send `Accept` on the client and
 * names no refusal, and its own curl calls send none: so JSON unless an event stream is named first or alone, and an
 * event stream only for those who name it (contract section 2, mcp-spec rule 8).
 */
export interface AcceptedTypes {
  readonly eventStream: boolean;
  /** Even for an answer that nothing comes before. */
  readonly prefersStream: boolean;
}

const jsonRanges = new Set(['*/*', 'application/*', 'application/json']);
const both: AcceptedTypes = { eventStream: true, prefersStream: false };
const jsonOnly: AcceptedTypes = { eventStream: false, prefersStream: false };

/** @throws Failure `not_acceptable` when the client can read neither. */
export function readAccept(header: string | null): AcceptedTypes {
  if (header === null || header === '' || header === '*/*' || header === 'application/json') return jsonOnly;
  if (header === 'application/json, text/event-stream') return both;
  const ranges = header
    .split(',')
    .map((range) => range.trim().toLowerCase())
    .filter((range) => !/;\s*q=0(\.0*)?$/.test(range))
    .map((range) => range.split(';', 1)[0]?.trim() ?? '');
  const stream = ranges.indexOf('text/event-stream');
  const json = ranges.findIndex((range) => jsonRanges.has(range));
  if (stream < 0 && json < 0) {
    throw new Failure('not_acceptable', 'Accept `application/json`, `text/event-stream` or both.');
  }
  const eventStream = stream >= 0;
  return { eventStream, prefersStream: eventStream && (json < 0 || stream < json) };
}
