import { joinText, MessageGatherer } from '../../../json-rpc/node-message-gatherer.ts';
import type { ServerMessage } from '../../../json-rpc/server-messages.ts';

/**
 * Parses an event stream (HTML standard, 9.2.6) byte by byte, so that the data of events is judged as it arrives: a parser
 * of texts would store a long event whole first.
 */
export interface EventReaderOptions {
  /** Of one event. */
  readonly mostBytes: number;
  /** `data` is '' when the event has none, or none that is JSON. */
  readonly onEvent: (event: ServerEvent) => void;
  readonly onRetry: (milliseconds: number) => void;
  /** An event is longer than allowed; nothing further is reported. */
  readonly onTooLong: () => void;
}

export interface ServerEvent {
  readonly id: string | undefined;
  readonly type: string;
  readonly data: ServerMessage;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const colon = 0x3a;
const space = 0x20;
const byteOrderMark = '\u00ef\u00bb\u00bf';
const fields = ['data', 'event', 'id', 'retry'];
/** Fields with other names are ignored. */
const longestName = byteOrderMark.length + 5;
/** Of fields other than `data`; longer ids cannot be sent back. */
const longestValue = 2_048;

export function createEventReader(options: EventReaderOptions): (piece: Buffer) => void {
  const data = new MessageGatherer();
  let id: string | undefined;
  let type = '';
  let hasData = false;
  /** Of the current line. */
  let name = '';
  let isNamed = false;
  let isValueBegun = false;
  const value: Buffer[] = [];
  let valueBytes = 0;
  let isFirstLine = true;
  let isAfterReturn = false;
  let isOver = false;
  let isReported = false;

  function readLinePart(piece: Buffer, start: number, end: number): void {
    readValue(piece, isNamed ? start : readName(piece, start, end), end);
  }

  /** @returns where the value begins; `end` when the name goes on. */
  function readName(piece: Buffer, start: number, end: number): number {
    let at = start;
    while (at < end && piece[at] !== colon) at++;
    const whole = name === '' && at < end ? fieldAt(piece, start, at) : undefined;
    if (whole !== undefined) name = whole;
    else if (name.length <= longestName)
      name += piece.toString('latin1', start, Math.min(at, start + longestName + 1));
    if (at === end) return end;
    endName();
    return at + 1;
  }

  function endName(): void {
    isNamed = true;
    if (isFirstLine && name.startsWith(byteOrderMark)) name = name.slice(byteOrderMark.length);
    if (name !== 'data') return;
    if (hasData) data.add(Buffer.from('\n'));
    hasData = true;
  }

  function readValue(piece: Buffer, start: number, end: number): void {
    if (start === end) return;
    const from = !isValueBegun && piece[start] === space ? start + 1 : start;
    isValueBegun = true;
    if (from === end) return;
    if (name === 'data') {
      data.add(piece.subarray(from, end));
      isOver = data.bytes > options.mostBytes;
    } else if (isUsed(name) && valueBytes < longestValue) {
      valueBytes += end - from;
      value.push(piece.subarray(from, Math.min(end, from + longestValue)));
    }
  }

  function endLine(): void {
    const isEmpty = !isNamed && name === '';
    if (!isNamed) endName();
    if (isEmpty) endEvent();
    else if (isUsed(name)) applyField(joinText(value));
    name = '';
    isNamed = false;
    isValueBegun = false;
    value.length = 0;
    valueBytes = 0;
    isFirstLine = false;
  }

  function applyField(text: string): void {
    if (name === 'event') type = text;
    else if (name === 'id') id = text.includes('\0') ? id : text;
    else if (/^\d+$/.test(text)) options.onRetry(Number(text));
  }

  function endEvent(): void {
    if (hasData || id !== undefined) options.onEvent({ id, type, data: data.end() });
    id = undefined;
    type = '';
    hasData = false;
  }

  return (piece) => {
    if (isReported) return;
    let at = 0;
    let feedAt = piece.indexOf(lineFeed);
    let returnAt = piece.indexOf(carriageReturn);
    while (at < piece.length && !isOver) {
      if (isAfterReturn && piece[at] === lineFeed) at++;
      isAfterReturn = false;
      if (feedAt >= 0 && feedAt < at) feedAt = piece.indexOf(lineFeed, at);
      if (returnAt >= 0 && returnAt < at) returnAt = piece.indexOf(carriageReturn, at);
      const end = feedAt < 0 || returnAt < 0 ? Math.max(feedAt, returnAt) : Math.min(feedAt, returnAt);
      if (at < piece.length) readLinePart(piece, at, end < 0 ? piece.length : end);
      if (end < 0 || isOver) break;
      endLine();
      isAfterReturn = end === returnAt;
      at = end + 1;
    }
    if (!isOver) return;
    isReported = true;
    data.clear();
    options.onTooLong();
  };
}

/** The field with this name, found without making a string of the bytes: each event has several fields. */
function fieldAt(piece: Buffer, start: number, end: number): string | undefined {
  return fields.find((field) => {
    if (field.length !== end - start) return false;
    for (let at = 0; at < field.length; at++) if (field.charCodeAt(at) !== piece[start + at]) return false;
    return true;
  });
}

/** Whether a field besides `data` has a meaning. */
function isUsed(name: string): boolean {
  return name === 'id' || name === 'event' || name === 'retry';
}
