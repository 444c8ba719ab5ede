/** Streams that stay open while the service is fuzzed; schemathesis would wait for their end. */
import { mediaTypeOf, problemsOfAnswer } from '../support/api-document.ts';

export interface OpenStream {
  /** Hangs up. @returns what is not as the document has it. */
  end(): Promise<readonly string[]>;
}

/** @throws Error when the answer is no stream. */
export async function openStream(url: string, headers: Record<string, string> = {}): Promise<OpenStream> {
  const leaving = new AbortController();
  const response = await fetch(url, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: leaving.signal,
  });
  if (!response.ok || response.body === null) throw new Error(`GET ${url}: ${response.status}`);
  const body = response.body.pipeThrough(new TextDecoderStream());
  let text = '';
  let isLeaving = false;
  const reading = (async () => {
    for await (const chunk of body) text += chunk;
  })().catch((error: Error) => {
    if (!isLeaving) throw error;
  });
  reading.catch(() => {});
  return {
    async end() {
      isLeaving = true;
      leaving.abort();
      const { pathname: path } = new URL(url);
      const broken = await reading.then(
        () => [],
        ({ message }: Error) => [`GET ${path}: the stream broke: ${message}`],
      );
      // A last event that has not come whole is none.
      const whole = text.slice(0, text.lastIndexOf('\n\n') + 2);
      const mediaType = mediaTypeOf(response.headers);
      const { status } = response;
      return [...broken, ...problemsOfAnswer({ method: 'GET', path, status, mediaType, text: whole })];
    },
  };
}
