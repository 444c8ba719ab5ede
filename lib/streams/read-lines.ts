/**
 * Lines of UTF-8 text from a byte stream, without their line breaks. Each byte is looked at once, however long a line
 * is and however it is cut into chunks. What follows the last line break is no line: it broke off.
 */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let begun: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const pieces = decoder.decode(value, { stream: true }).split('\n');
      for (const piece of pieces.slice(0, -1)) {
        yield begun.join('') + piece;
        begun = [];
      }
      begun.push(pieces.at(-1) ?? '');
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
