/**
 * Output of a stdio server on its standard output that is no message (revision 2025-11-25, basic/transports, stdio, forbids
 * it, and many servers write some): banners, logs, a whole other protocol. It is shown with the log, since it often says
 * why a server does not work; messages and pieces of messages never are, because they hold the data of calls.
 */
const mark = '[stdout] ';
/** A longer line may be the beginning of a message that was cut off. */
const longestStray = 16 * 1024;
const memberNames = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];

/**
 * As a line of the log; undefined when the text is, or may be, part of a message.
 * @param mayBeTail Reading began in the middle, maybe of a message.
 */
export function strayLine(text: string, mayBeTail = false): string | undefined {
  const line = text.trim();
  if (line === '' || line.length >= longestStray || line.includes('"jsonrpc"')) return undefined;
  if (mayBeTail && /[}\]]$/.test(line)) return undefined;
  if (/^(\[\s*)?\{/.test(line) && !isOtherJson(line)) return undefined;
  return mark + line;
}

/** The text of a line that `strayLine` made; undefined for other lines. */
export function strayText(line: string): string | undefined {
  return line.startsWith(mark) ? line.slice(mark.length) : undefined;
}

/** Complete JSON, such as a structured log, without the members of messages. */
function isOtherJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return [value].flat().every((one) => !memberNames.some((name) => Object.hasOwn(Object(one), name)));
  } catch {
    return false;
  }
}
