import { Failure } from '../http/failure.ts';

/**
 * What a client of the endpoint can read. The specification puts the duty to send `Accept` on the client and
 * names no refusal, and its own curl calls send none: so JSON unless JSON is excluded, and an event stream only
 * for those who name it (contract section 2, mcp-spec rule 8).
 */
export interface Accepted {
  readonly json: boolean;
  readonly eventStream: boolean;
}

const jsonRanges = new Set(['*/*', 'application/*', 'application/json']);
const both: Accepted = { json: true, eventStream: true };
const jsonOnly: Accepted = { json: true, eventStream: false };

/** @throws Failure `not_acceptable` when the client can read neither. */
export function readAccept(header: string | null): Accepted {
  if (header === null || header === '' || header === '*/*' || header === 'application/json') return jsonOnly;
  if (header === 'application/json, text/event-stream') return both;
  const ranges = header
    .split(',')
    .map((range) => range.trim().toLowerCase())
    .filter((range) => !/;\s*q=0(\.0*)?$/.test(range))
    .map((range) => range.split(';', 1)[0]?.trim() ?? '');
  const eventStream = ranges.includes('text/event-stream');
  const json = ranges.some((range) => jsonRanges.has(range));
  if (!json && !eventStream) {
    throw new Failure('not_acceptable', 'Accept `application/json`, `text/event-stream` or both.');
  }
  return { json, eventStream };
}
