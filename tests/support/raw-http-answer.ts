/** Takes apart the bytes of one HTTP/1.1 answer: interim answers, Content-Length, chunks, until close. */

interface Answer {
  readonly status: number | undefined;
  readonly head: string;
  readonly body: string;
  readonly isComplete: boolean;
}

/** @param isClosed no more bytes will come: a body without a length is complete then. */
export function readAnswer(bytes: Buffer, isClosed: boolean): Answer {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return { status: undefined, head: '', body: '', isComplete: false };
  const lines = bytes.toString('latin1', 0, end);
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(lines)?.[1] ?? Number.NaN);
  const rest = bytes.subarray(end + 4);
  if (status >= 100 && status < 200) return readAnswer(rest, isClosed);
  const head = lines.slice(lines.indexOf('\r\n') + 2);
  return {
    status: Number.isNaN(status) ? undefined : status,
    head,
    ...readBody(status, head, rest, isClosed),
  };
}

/** Value of the first header of that name, without regard to case. */
export function headerOf(head: string, name: string): string | undefined {
  const start = `${name.toLowerCase()}:`;
  const line = head.split('\r\n').find((text) => text.toLowerCase().startsWith(start));
  return line?.slice(start.length).trim();
}

function readBody(status: number, head: string, rest: Buffer, isClosed: boolean) {
  if (status === 204 || status === 304) return { body: '', isComplete: true };
  if (/chunked/i.test(headerOf(head, 'transfer-encoding') ?? '')) return readChunks(rest);
  const length = headerOf(head, 'content-length');
  if (length === undefined) return { body: rest.toString(), isComplete: isClosed };
  return { body: rest.toString('utf8', 0, Number(length)), isComplete: rest.length >= Number(length) };
}

function readChunks(rest: Buffer) {
  const parts: Buffer[] = [];
  let position = 0;
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', position);
    const size = lineEnd < 0 ? Number.NaN : Number.parseInt(rest.toString('latin1', position, lineEnd), 16);
    const body = () => Buffer.concat(parts).toString();
    if (size === 0) return { body: body(), isComplete: true };
    if (Number.isNaN(size) || rest.length < lineEnd + 2 + size) {
      if (!Number.isNaN(size)) parts.push(rest.subarray(lineEnd + 2));
      return { body: body(), isComplete: false };
    }
    parts.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size));
    position = lineEnd + 2 + size + 2;
  }
}
