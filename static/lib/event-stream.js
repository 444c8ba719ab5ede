// @ts-check
// Reads server-sent events from a fetched answer. EventSource could neither send a token nor a body.

/**
 * Calls back for each event until the stream ends. Data that is not JSON is given as text.
 * @template [Data=unknown] What the sender is known to write.
 * @param {NonNullable<Response['body']>} body
 * @param {(type: string, data: Data) => void} onEvent
 * @param {() => void} [onBytes] Called for whatever arrives, comments included.
 */
export async function readEventStream(body, onEvent, onBytes = () => {}) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const feed = createEventParser(onEvent);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onBytes();
    feed(value);
  }
}

/**
 * @template [Data=unknown]
 * @param {(type: string, data: Data) => void} onEvent
 * @returns {(text: string) => void} Takes the text in whatever pieces it comes.
 */
export function createEventParser(onEvent) {
  let rest = '';
  let type = '';
  /** @type {string[]} */
  let data = [];

  /** @param {string} line */
  function take(line) {
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (line === '') dispatch();
    else if (field === 'event') type = value ?? '';
    else if (field === 'data') data.push(value ?? '');
  }

  function dispatch() {
    if (data.length > 0) onEvent(type || 'message', parse(data.join('\n')));
    type = '';
    data = [];
  }

  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  };
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
