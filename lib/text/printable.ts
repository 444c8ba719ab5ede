/**
 * Text that came from a server, made safe for a terminal: names, descriptions, results and errors may hold escape
 * sequences that move the cursor, rewrite what was printed or set the window title.
 */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  return text.replace(/\r\n/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, escaped);
}

/** JSON text of the same meaning: control characters that JSON allows unescaped can only be in strings. */
export function printableJson(json: string): string {
  return json.replace(/[\u007f-\u009f]/g, escaped);
}

/** A value for JSON, with every text in it `printable`. Errors keep only their own members. */
export function printableValue(value: unknown): unknown {
  if (typeof value === 'string') return printable(value);
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  if (Array.isArray(value)) return value.map(printableValue);
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [printable(key), printableValue(entry)]),
  );
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
