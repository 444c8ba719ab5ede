import { memberText } from '../json/raw-json.ts';
import { initializeParams, notificationText, requestText } from '../json-rpc/write.ts';
import { CliFailure, unauthorized } from './cli-failure.ts';
import { exchange, type HttpAnswer, whyNoAnswer } from './http-exchange.ts';

/**
 * One tool call as an agent makes it: a session on the group's endpoint, the call, the end of the session. Only JSON
 * answers are accepted, no streams. Arguments are sent as they were typed, and the text of the result is returned
 * unparsed, so that no large number changes.
 */
export interface ToolCall {
  readonly endpoint: string;
  readonly token: string | undefined;
  readonly tool: string;
  /** JSON text of an object. */
  readonly argumentsText: string;
}

export type ToolResult = Readonly<Record<string, unknown>>;

const quickMs = 30_000;
const callMs = 15 * 60_000;

export interface CallOutcome {
  readonly result: ToolResult;
  /** Raw JSON text of the result. */
  readonly text: string;
}

export async function callToolOverHttp(call: ToolCall): Promise<CallOutcome> {
  const session = await openSession(call);
  try {
    const params = `{"name":${JSON.stringify(call.tool)},"arguments":${call.argumentsText}}`;
    const answer = await post(call, session, requestText(2, 'tools/call', params), callMs);
    return { result: resultOf(call, answer), text: memberText(answer.text, 'result') ?? '' };
  } finally {
    // A session that could not be ended expires by itself.
    await send(call, session, 'DELETE', undefined, quickMs).catch(() => {});
  }
}

type SessionHeaders = Readonly<Record<string, string>>;

async function openSession(call: ToolCall): Promise<SessionHeaders> {
  const params = initializeParams({ name: 'svc-mcp gateway command', version: '1' });
  const answer = await post(call, {}, requestText(1, 'initialize', params), quickMs);
  const { protocolVersion } = resultOf(call, answer);
  const id = answer.header('mcp-session-id');
  const session: SessionHeaders = {
    ...(typeof protocolVersion === 'string' ? { 'MCP-Protocol-Version': protocolVersion } : {}),
    ...(id === undefined ? {} : { 'Mcp-Session-Id': id }),
  };
  await post(call, session, notificationText('notifications/initialized', '{}'), quickMs);
  return session;
}

function post(call: ToolCall, session: SessionHeaders, body: string, timeoutMs: number): Promise<HttpAnswer> {
  return send(call, session, 'POST', body, timeoutMs);
}

async function send(
  call: ToolCall,
  session: SessionHeaders,
  method: string,
  body: string | undefined,
  timeoutMs: number,
): Promise<HttpAnswer> {
  const headers = {
    Accept: 'application/json',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(call.token === undefined ? {} : { Authorization: `Bearer ${call.token}` }),
    ...session,
  };
  try {
    return await exchange({ method, url: new URL(call.endpoint), headers, body, timeoutMs });
  } catch (error) {
    const { origin } = new URL(call.endpoint);
    const sentence = `The gateway does not answer at ${origin}: ${whyNoAnswer(error)}. Check that it runs.`;
    throw new CliFailure(sentence, 1, { code: 'service_unreachable' });
  }
}

function resultOf(call: ToolCall, answer: HttpAnswer): ToolResult {
  if (answer.status === 401) throw unauthorized('The gateway', 'GATEWAY_TOKEN', call.token !== undefined);
  const { result, error } = parse(answer);
  if (error !== undefined) {
    const { message = 'The call was refused without a reason.', ...details } = error;
    throw new CliFailure(message, 1, { code: 'mcp_error', details });
  }
  if (result === undefined)
    throw new CliFailure(`The gateway answered HTTP ${answer.status} without a result.`);
  return result;
}

function parse(answer: HttpAnswer): {
  result?: ToolResult;
  error?: { message?: string; code?: number; data?: unknown };
} {
  try {
    const value: unknown = JSON.parse(answer.text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    throw new CliFailure(`The gateway answered HTTP ${answer.status} with something that is not JSON.`);
  }
}

/** The result of a tool, for a terminal: its texts, or its structured content if there are none. */
export function textOfResult(result: ToolResult): string {
  const { content, structuredContent } = result;
  const blocks = Array.isArray(content) ? content.map(textOfBlock) : [];
  if (blocks.length === 0 && structuredContent !== undefined) {
    return JSON.stringify(structuredContent, null, 2);
  }
  return blocks.join('\n');
}

/** To be thrown after the result was printed. */
export function toolFailed(): CliFailure {
  return new CliFailure('The tool says that it failed; its words are above.', 1, { code: 'tool_failed' });
}

interface ContentBlock {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly data?: unknown;
  readonly mimeType?: unknown;
  readonly uri?: unknown;
  readonly resource?: ContentBlock;
}

/** A text as it is; of any other block its type and size, since a terminal cannot show it. */
function textOfBlock(block: ContentBlock): string {
  const { type, text, data, mimeType, uri, resource } = block;
  if (type === 'resource' && resource !== undefined) return textOfBlock(resource);
  if (typeof text === 'string') return text;
  const facts = [type ?? 'resource', mimeType, uri].filter((fact) => typeof fact === 'string');
  if (typeof data === 'string') facts.push(`${Math.floor((data.length * 3) / 4)} bytes`);
  return `[${facts.join(', ')}]`;
}
