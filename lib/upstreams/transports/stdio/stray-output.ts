/**
 * What a stdio server writes to its standard output besides its protocol (revision 2025-11-25, basic/transports, stdio:
 * it must not, and many do): banners, logs, a whole other protocol. It is shown with the log, since it often says why
 * a server does not work; a message, or a piece of one, never is: it holds what somebody called and was answered.
 */
const mark = '[stdout] ';
/** A longer line may be the beginning of a message that was cut off. */
const longestStray = 16 * 1024;
const memberNames = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];

/**
 * As a line of the log; undefined when it is, or may be, of the protocol.
 * @param mayBeTail Whoever reads came in the middle, maybe of a message.
 */
export function strayLine(text: string, mayBeTail = false): string | undefined {
  const line = text.trim();
  if (line === '' || line.length >= longestStray || line.includes('"jsonrpc"')) return undefined;
  if (mayBeTail && /[}\]]$/.test(line)) return undefined;
  if (/^(\[\s*)?\{/.test(line) && !isOtherJson(line)) return undefined;
  return mark + line;
}

/** The text of a line that `strayLine` made; undefined: it is another one. */
export function strayText(line: string): string | undefined {
  return line.startsWith(mark) ? line.slice(mark.length) : undefined;
}

/** A structured log, whole, and of none of the members that messages have. */
function isOtherJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return [value].flat().every((one) => !memberNames.some((name) => Object.hasOwn(Object(one), name)));
  } catch {
    return false;
  }
}
