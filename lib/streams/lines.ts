/**
 * Cuts bytes into lines of UTF-8 text, without their line breaks. Each byte is looked at once, however long a line is and
 * however it is cut into chunks. Text after the last line break is not a line: it was cut off.
 */
export function createLineSplitter(onLine: (line: string) => void): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  return (chunk) => {
    const pieces = decoder.decode(chunk, { stream: true }).split('\n');
    const [first = '', ...others] = pieces;
    begun.push(first);
    if (others.length === 0) return;
    const lines = [begun.join(''), ...others];
    begun = [lines.pop() ?? ''];
    for (const line of lines) onLine(line);
  };
}

/**
 * Values from a stream of JSON texts, one a line, as engines write their events. Lines that are not JSON are
 * skipped: the client library's own reader throws on them where the error cannot be caught.
 */
export function createJsonLines<Value>(onValue: (value: Value) => void): (chunk: Uint8Array) => void {
  return createLineSplitter((line) => {
    const value = parse(line);
    if (value !== undefined) onValue(value as Value);
  });
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
