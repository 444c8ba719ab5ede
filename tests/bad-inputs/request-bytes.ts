import { type CaseRequest, type CaseText, fill, type Placeholders, textBytes } from './case.ts';

/**
 * The request exactly as it goes over the wire. Host and Content-Length are added where the case does not give
 * its own (or takes them away with `null`); nothing else is, and nothing is repaired.
 */
export function requestBytes(request: CaseRequest, port: number, placeholders: Placeholders): Buffer {
  if (request.raw !== undefined) return textBytes(request.raw, placeholders);
  const body = bodyBytes(request, placeholders);
  const lines = [
    `${request.method} ${fill(request.path, placeholders)} HTTP/1.1`,
    ...headerLines({ ...defaultHeaders(request, port, body), ...request.headers }, placeholders),
  ];
  return Buffer.concat([wireBytes(`${lines.join('\r\n')}\r\n\r\n`), body]);
}

function defaultHeaders(request: CaseRequest, port: number, body: Buffer): Record<string, string> {
  const given = Object.keys(request.headers).map((name) => name.toLowerCase());
  const hasBody = request.body !== undefined || request.chunkedBody !== undefined;
  const framed = given.includes('content-length') || given.includes('transfer-encoding');
  return {
    ...(given.includes('host') ? {} : { Host: `127.0.0.1:${port}` }),
    ...(hasBody && !framed ? { 'Content-Length': String(body.length) } : {}),
  };
}

function headerLines(headers: CaseRequest['headers'], placeholders: Placeholders): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (value === null) return [];
    const values: readonly CaseText[] = Array.isArray(value) ? value : [value as CaseText];
    return values.map((one) => `${name}: ${textBytes(one, placeholders).toString()}`);
  });
}

function bodyBytes({ body, chunkedBody }: CaseRequest, placeholders: Placeholders): Buffer {
  if (chunkedBody !== undefined) return chunked(textBytes(chunkedBody, placeholders));
  return body === undefined ? Buffer.alloc(0) : textBytes(body, placeholders);
}

function chunked(body: Buffer, size = 65_536): Buffer {
  const parts: Buffer[] = [];
  for (let start = 0; start < body.length; start += size) {
    const part = body.subarray(start, start + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

/** Header text is Latin-1 on the wire; what does not fit goes as UTF-8. */
function wireBytes(text: string): Buffer {
  return Buffer.from(text, /[^\0-\xff]/.test(text) ? 'utf8' : 'latin1');
}
