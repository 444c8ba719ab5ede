/** Longer keys come out as ''. Every name of ours fits, even when it is written in escapes. */
const longestKey = 64;

/** Gathers the text of a key from its bytes, as far as it may be one of our names. Others need not come out right. */
export class JsonKeyReader {
  isOn = false;
  #text = '';

  begin(isOn: boolean): void {
    this.isOn = isOn;
    this.#text = '';
  }

  /** More of its bytes; at last the closing quote. */
  add(bytes: Uint8Array, start: number, end: number): void {
    const most = Math.min(end, start + longestKey + 1);
    for (let at = start; at < most; at++) this.#text += String.fromCharCode(bytes[at] ?? 0);
  }

  /** To be called once the key is complete and valid. */
  take(): string {
    const text = this.#text;
    if (text.length > longestKey) return '';
    return text.includes('\\') ? String(JSON.parse(`"${text}`)) : text.slice(0, -1);
  }
}
