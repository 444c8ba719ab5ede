import { toSendProblem } from './node-http-endpoint.ts';
import { type AnswerFacts, httpAnswerLine, statusReason } from './node-http-problems.ts';

/** Why an event stream was not opened. */
export interface RefusedStream {
  /** Continues "the server is unavailable: …". */
  readonly reason: string;
  /** The server's own text, if there is any. */
  readonly line?: string | undefined;
}

const longestBody = 4 * 1024;
/** How long the rest of a refusal is waited for. */
const bodyWaitMs = 500;

/**
 * `fetch` for a library that wants an event stream and does not report why it got none. Other answers to a GET are read
 * here and not passed on.
 */
export function withRefusedStreams(
  fetchStream: typeof fetch,
  hadCredentials: boolean,
  onRefused: (refused: RefusedStream) => void,
): typeof fetch {
  return async (input, init) => {
    if ((init?.method ?? 'GET') !== 'GET') return await fetchStream(input, init);
    const response = await fetchStream(input, init).catch((error: Error) => {
      onRefused({ reason: toSendProblem(error).reason });
      throw error;
    });
    const { status, headers } = response;
    const [mediaType = ''] = (headers.get('content-type') ?? '').toLowerCase().split(';');
    if (status === 200 && mediaType.trim() === 'text/event-stream') return response;
    const challenge = headers.get('www-authenticate') ?? undefined;
    const body = response.body ? await beginningOf(response.body) : '';
    onRefused({
      reason: streamReason(status, { mediaType: mediaType.trim(), hadCredentials, challenge }),
      line: httpAnswerLine(status, mediaType.trim(), body),
    });
    return new Response(null, { status, headers });
  };
}

/** Servers of the newer protocol refuse a GET without a session, with different statuses. */
function streamReason(status: number, facts: AnswerFacts): string {
  const isPage = facts.mediaType === 'text/html';
  const isNewer = status === 405 || status === 406 || status === 400;
  if (isNewer && !isPage) {
    return `it opens no event stream (HTTP ${status}): it seems to speak Streamable HTTP, so set \`transport\` to "streamable_http"`;
  }
  const isOther = status >= 200 && status < 300 && !isPage;
  return isOther ? `it answered HTTP ${status} without an event stream` : statusReason(status, facts);
}

async function beginningOf(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), bodyWaitMs);
  let text = '';
  try {
    while (text.length < longestBody) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // The body broke off; its beginning is used.
  } finally {
    clearTimeout(timer);
    reader.cancel().catch(() => {});
  }
  return text.slice(0, longestBody);
}
