/**
 * Requests that are no HTTP, which no HTTP client sends: bytes out of place in a good request, on a connection of its own.
 * Each is answered with a status below 500 and a body of the document, or taken as what it still is.
 */
import fc from 'fast-check';
import { problemsOfAnswer } from '../support/api-document.ts';
import { sendRaw } from '../support/raw-http.ts';
import { headerOf } from '../support/raw-http-answer.ts';

const odd = fc.constantFrom<string[]>(
  ...['\0', '\r', '\n', '\r\n', ' ', ':', '\t', '\x7f', '\xff', '%', '%zz', '%00', '/../', '\\', '?#', ';'],
  ...['HTTP/9.9', 'HTTP/1.0', 'Transfer-Encoding: chunked\r\n', 'Content-Length: -1\r\n', 'Host: a\r\n'],
  'X-Long: '.padEnd(20_000, 'x'),
);
const good = fc.constantFrom<string[]>(
  'GET /api/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  'GET /api/servers/everything HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept: */*\r\n\r\n',
  'POST /api/tools/enable HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  'POST /api/update HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
);
const change = fc.record({ at: fc.nat(150), drops: fc.nat(4), adds: odd });
const requests = fc
  .tuple(good, fc.array(change, { minLength: 1, maxLength: 3 }))
  .map(([request, changes]) =>
    changes.reduce<string>(
      (text, { at, drops, adds }) => text.slice(0, at) + adds + text.slice(at + drops),
      request,
    ),
  );

/** An answer that has not come by then waits for the rest of a request. */
const waitMs = 300;
const atOnce = 20;

/** @returns what is not as the document has it, each with the request. */
export async function sendMalformed(port: number, seed: number, count: number): Promise<readonly string[]> {
  const queue = fc.sample(requests, { seed, numRuns: count });
  const problems: string[] = [];
  const work = async () => {
    for (let request = queue.pop(); request !== undefined; request = queue.pop()) {
      const found = await judge(port, request);
      if (found.length > 0)
        problems.push(`${JSON.stringify(request).slice(0, 400)}\n  ${found.join('\n  ')}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return problems;
}

async function judge(port: number, request: string): Promise<readonly string[]> {
  // Closed by our side: what is missing in a request does not come any more.
  const answer = await sendRaw(port, Buffer.from(request, 'latin1'), { limitMs: waitMs });
  const { status, body, head } = answer;
  if (status === undefined) return answer.isClosed ? ['closed without an answer'] : [];
  if (status >= 500 && status !== 505) return [`${status} ${body}`];
  if (status < 400) return [];
  const mediaType = headerOf(head, 'content-type')?.split(';')[0] ?? '';
  if (mediaType !== 'application/json') return [`${status} with ${mediaType}`];
  // The gateway answers paths of its own in JSON-RPC; which path was meant is not known of a broken request.
  const problems = [
    { method: 'GET', path: '/no/such/path' },
    { method: 'POST', path: '/mcp' },
  ].map((asked) => problemsOfAnswer({ ...asked, status, mediaType, text: body }));
  return problems.some(({ length }) => length === 0) ? [] : problems.flat();
}
