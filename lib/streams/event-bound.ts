const lineFeed = 10;
const carriageReturn = 13;

/**
 * Watches an event stream for an event of more than so many bytes, which a reader of the stream would have to buffer.
 * Events end with an empty line (HTML standard, 9.2.5); lines end with CR, LF or both.
 * @returns A function to call with each piece; false once an event is too long.
 */
export function createEventBound(mostBytes: number): (bytes: Uint8Array) => boolean {
  let size = 0;
  let isLineEmpty = true;
  let last = 0;

  return (bytes) => {
    for (const byte of bytes) {
      const isSecondHalf = byte === lineFeed && last === carriageReturn;
      last = byte;
      if (isSecondHalf) continue;
      const endsLine = byte === lineFeed || byte === carriageReturn;
      size = endsLine && isLineEmpty ? 0 : size + 1;
      isLineEmpty = endsLine;
      if (size > mostBytes) return false;
    }
    return true;
  };
}
