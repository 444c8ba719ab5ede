/**
 * Values from a stream of JSON texts, one a line, as engines write their events. Lines that are no JSON are passed
 * over: the client library's own reader throws on them where nobody can catch it.
 */
export function createJsonLines<Value>(onValue: (value: Value) => void): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let begun = '';
  return (chunk) => {
    const pieces = (begun + decoder.decode(chunk, { stream: true })).split('\n');
    begun = pieces.pop() ?? '';
    for (const piece of pieces) {
      const value = parse(piece);
      if (value !== undefined) onValue(value as Value);
    }
  };
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
