import type { AnswerHead, AnswerReader } from './node-answer-readers.ts';
import { createBodyDecoder } from './node-http-body.ts';
import { noAnswer } from './node-http-problems.ts';

/** Reads one answer of an HTTP/1.1 server (RFC 9112) from the bytes of its connection, in whatever pieces. */
export interface AnswerParser {
  /**
   * @returns whether the answer is complete.
   * @throws Error with code `ERR_HTTP_ANSWER` when the bytes are no HTTP answer, or an ambiguous one.
   */
  feed(bytes: Buffer): boolean;
  /** The server closed its side. @returns whether that completes the answer. */
  finish(): boolean;
  /** After a complete answer: whether the connection may carry another exchange. */
  canStay(): boolean;
}

const mostHeadBytes = 16_384;
const headEnd = '\r\n\r\n';

export function createAnswerParser(reader: Pick<AnswerReader, 'onHead' | 'onData'>): AnswerParser {
  let waiting: Buffer | undefined;
  let body: ReturnType<typeof createBodyDecoder> | undefined;
  let staysOpen = false;
  let hasMore = false;

  /** @returns what follows the head, or undefined while the head is not complete. */
  function readHead(bytes: Buffer): Buffer | undefined {
    const all = waiting ? Buffer.concat([waiting, bytes]) : bytes;
    const end = all.indexOf(headEnd);
    if (end > mostHeadBytes || (end < 0 && all.length > mostHeadBytes))
      throw noAnswer('its head is too long');
    if (end < 0) {
      waiting = all;
      return undefined;
    }
    waiting = undefined;
    const rest = all.subarray(end + headEnd.length);
    const { head, isLatest } = parseHead(all.toString('latin1', 0, end));
    // 100 and 103 announce an answer; 101 would switch to another protocol.
    if (head.status < 200) {
      if (head.status === 101) throw noAnswer('it switches protocols');
      return rest.length > 0 ? readHead(rest) : undefined;
    }
    body = createBodyDecoder(head, reader.onData);
    staysOpen = isLatest && !/\bclose\b/i.test(head.headers.get('connection') ?? '');
    reader.onHead(head);
    return rest;
  }

  return {
    feed(bytes) {
      const rest = body ? bytes : readHead(bytes);
      if (!rest || !body) return false;
      const isDone = body.feed(rest);
      hasMore = body.hasMore();
      return isDone;
    },
    finish: () => body?.endsWithConnection() ?? false,
    canStay: () => staysOpen && !hasMore && !(body?.endsWithConnection() ?? true),
  };
}

function parseHead(text: string): { head: AnswerHead; isLatest: boolean } {
  const lines = text.split('\r\n');
  const [, minor, status] = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/.exec(lines[0] ?? '') ?? [];
  if (status === undefined) throw noAnswer('it has no status line');
  const headers = new Map<string, string>();
  for (let index = 1; index < lines.length; index += 1) addHeader(headers, lines[index] ?? '');
  return { head: { status: Number(status), headers }, isLatest: minor === '1' };
}

const token = /^[!#$%&'*+\-.^_`|~\w]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it looks for
const control = /[\0-\x08\x0a-\x1f\x7f]/;

/** Folded lines and spaces before the colon are refused, as RFC 9112 section 5 demands. */
function addHeader(headers: Map<string, string>, line: string): void {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(0, colon));
  if (!token.test(name) || control.test(line)) throw noAnswer('one of its headers is malformed');
  const key = name.toLowerCase();
  const value = line.slice(colon + 1).trim();
  const earlier = headers.get(key);
  headers.set(key, earlier === undefined ? value : `${earlier}, ${value}`);
}
