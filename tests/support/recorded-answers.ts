/** An HTTP client that keeps every answer, header and body, to be searched; and a crawl over a whole route table. */
export interface RecordedAnswers {
  /** `METHOD path (number)` → status, headers and body as text. */
  readonly texts: Map<string, string>;
  send(method: string, url: string, options?: SendOptions): Promise<RecordedAnswer>;
  /** Keeps something else that somebody was told, such as what a command printed. */
  keep(what: string, text: string): void;
}

export interface RecordedAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON, texts as they are. */
  readonly body?: unknown;
  /** Event streams are left after so long without news. */
  readonly quietMs?: number;
}

export function recordAnswers(): RecordedAnswers {
  const texts = new Map<string, string>();
  const keep = (what: string, text: string) => void texts.set(`${what} (${texts.size + 1})`, text);

  return {
    texts,
    keep,
    async send(method, url, { headers = {}, body, quietMs = 300 } = {}) {
      const leaving = new AbortController();
      const answer = await fetch(url, {
        method,
        headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
        body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
        signal: leaving.signal,
      });
      const text = await readUntilQuiet(answer, quietMs);
      leaving.abort();
      const { pathname, search } = new URL(url);
      const head = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
      keep(`${method} ${pathname}${search}`, `${answer.status}\n${head}\n\n${text}`);
      return { status: answer.status, text, headers: answer.headers };
    },
  };
}

async function readUntilQuiet(answer: Response, quietMs: number): Promise<string> {
  const isEndless = answer.headers.get('content-type')?.startsWith('text/event-stream');
  if (!isEndless || !answer.body) return await answer.text();
  const decoder = new TextDecoder();
  const reader = answer.body.getReader();
  let text = '';
  for (;;) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const quiet = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), quietMs);
    });
    const chunk = await Promise.race([reader.read(), quiet]);
    clearTimeout(timer);
    if (!chunk || chunk.done) return text;
    text += decoder.decode(chunk.value, { stream: true });
  }
}

/** Method and path of every route, its parameters replaced by each of the values given for them. */
export function routesOf(
  table: { readonly routes: readonly (readonly unknown[])[] },
  values: Readonly<Record<string, readonly string[]>>,
): { readonly method: string; readonly path: string }[] {
  return table.routes.flatMap(([method, , , pattern]) =>
    filled(String(pattern), values).map((path) => ({ method: String(method), path })),
  );
}

function filled(pattern: string, values: Readonly<Record<string, readonly string[]>>): string[] {
  const parameter = pattern.match(/:(\w+)|\*/);
  if (!parameter) return [pattern];
  const candidates = values[parameter[1] ?? '*'] ?? [];
  return candidates.flatMap((value) => filled(pattern.replace(parameter[0], value), values));
}
