/** Longer texts are encoded piece by piece: encoding 15 MB in one go blocks the event loop for tens of milliseconds. */
export const largeText = 262_144;

const encoder = new TextEncoder();

/** The texts one after the other as UTF-8; each piece is encoded when it is requested. */
export function* encodedPieces(...texts: readonly string[]): Generator<Uint8Array, undefined> {
  for (const text of texts) {
    for (let start = 0; start < text.length; ) {
      const end = endOfPiece(text, start);
      yield encoder.encode(text.slice(start, end));
      start = end;
    }
  }
}

/** Both halves of a surrogate pair stay together. */
function endOfPiece(text: string, start: number): number {
  const end = start + largeText;
  if (end >= text.length) return text.length;
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code < 0xdc00 ? end + 1 : end;
}
