import { integer, type } from 'superstruct';
import { Failure } from '../failure.ts';
import { about, type ValueOf } from '../json/json-schema.ts';
import { isObject } from '../json/parse-json.ts';
import { JsonProblem, parseJsonc } from './parse-jsonc.ts';

/** `details` of `invalid_params` where a pasted text is no JSON. */
export const TextPlace = type({
  line: about(integer(), 'From 1.'),
  column: about(integer(), 'From 1.'),
});
export type TextPlace = ValueOf<typeof TextPlace>;

/**
 * A pasted text or a file with servers as the document for `convertServers`: a whole file of another client, the inner
 * part of one, or lines that start a container.
 * @throws Failure `invalid_params`, with line and column where it is no JSON.
 */
export function readPastedText(text: string): Readonly<Record<string, unknown>> {
  if (/^\s*[^{\s"[/\uFEFF]/.test(text) && /\b(docker|podman)\s[\s\S]*\brun\b/.test(text)) {
    return { command_line: text };
  }
  const document = /^\s*[{["/\uFEFF]/.test(text) ? parse(text) : undefined;
  if (!isObject(document)) {
    throw new Failure('invalid_params', 'This is not a JSON object, and no docker run line.');
  }
  // The settings of VS Code have them one level below.
  const { mcpServers, servers, inputs } =
    hasServers(document) || !isObject(document.mcp) ? document : document.mcp;
  if (isObject(mcpServers)) return { mcpServers, inputs };
  if (isObject(servers)) return { servers, inputs };
  const entries = Object.values(document);
  if (entries.length > 0 && entries.every(isServer)) return { mcpServers: document };
  throw new Failure('invalid_params', 'It has neither `mcpServers` nor `servers`.');
}

function parse(text: string): unknown {
  const isInner = /^\s*"/.test(text);
  try {
    return isInner ? parseInner(text) : parseJsonc(text);
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    const details: TextPlace = { line: error.line, column: error.column };
    throw new Failure('invalid_params', `It is not valid JSON: ${error.message}.`, { details });
  }
}

/** Members of an object without its braces. The added brace is on a line of its own. */
function parseInner(text: string): unknown {
  try {
    return parseJsonc(`{\n${text}\n}`);
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    throw error.onLine(error.line - 1);
  }
}

function hasServers({ mcpServers, servers }: Readonly<Record<string, unknown>>): boolean {
  return isObject(mcpServers) || isObject(servers);
}

function isServer(entry: unknown): boolean {
  return isObject(entry) && ('command' in entry || 'url' in entry);
}
