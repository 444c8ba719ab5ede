import { Failure, toFailure } from '../http/failure.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { CancelSignal, UpstreamAnswer, Upstreams } from '../upstreams/upstreams.ts';
import { errorText, resultText } from './answers.ts';
import type { GroupView } from './group-views.ts';
import { idText, isId, isObject, type RequestMessage } from './message.ts';
import { memberText, replaceMembers } from './raw-json.ts';

/**
 * `tools/call`: checks that the tool is in the group, and relays. Params and result pass as raw JSON; only the
 * tool's name and the progress token are exchanged (mcp-spec rules 36, 38, 41).
 */
export interface ToolCall {
  readonly message: RequestMessage;
  readonly view: GroupView;
  readonly sessionId: string;
  readonly signal: CancelSignal;
  /** Sends a notification on this call's stream; absent: the client cannot read one. */
  readonly emit: ((message: string) => void) | undefined;
}

export interface ToolCallDependencies {
  readonly upstreams: Upstreams;
  readonly metrics: Metrics;
  readonly now: () => number;
}

/**
 * The answer's text. A server that is down or too slow is a result with `isError`, so that a model can react
 * (section 1.4). Throws for what the caller did wrong: `invalid_params`, `tool_not_found`, `too_many_requests`.
 */
export async function callTool(call: ToolCall, dependencies: ToolCallDependencies): Promise<string> {
  const { message, view, signal } = call;
  const name = message.params.name;
  if (typeof name !== 'string') throw new Failure('invalid_params', '`params.name` must be a string.');
  const tool = view.find(name);
  if (tool === undefined) throw unknownTool(name);
  const sent = memberText(message.text, 'params') ?? '{}';
  const token = progressToken(message, sent);
  const params = paramsFor(sent, tool.name, token);
  const startedAt = dependencies.now();
  const done = (outcome: string) =>
    dependencies.metrics.countCall(tool.server, tool.name, outcome, dependencies.now() - startedAt);
  try {
    const answer = await dependencies.upstreams.request({
      server: tool.server,
      sessionId: call.sessionId,
      method: 'tools/call',
      params,
      signal,
      onProgress: token === undefined ? undefined : (text) => call.emit?.(withClientToken(text, token)),
    });
    done(outcomeOf(answer));
    return 'result' in answer ? resultText(message.id, answer.result) : errorText(message.id, answer.error);
  } catch (error) {
    const failure = toFailure(error);
    done(signal.aborted ? 'cancelled' : failure.code);
    // Its server was removed a moment ago. A 404 here would tell the client that its session is gone (rule 20).
    if (failure.code === 'server_not_found') throw unknownTool(name);
    if (failure.code !== 'upstream_unavailable' && failure.code !== 'upstream_timeout') throw failure;
    return resultText(message.id, errorResult(failure));
  }
}

/** The client's own token as JSON text, when it asked for progress (a string or an integer, rule 41). */
function progressToken({ params }: RequestMessage, sent: string): string | undefined {
  const meta = params._meta;
  if (!isObject(meta) || meta.progressToken === undefined) return undefined;
  const token = meta.progressToken;
  if (!isId(token) || (typeof token === 'number' && !Number.isInteger(token))) {
    throw new Failure('invalid_params', '`params._meta.progressToken` must be a string or an integer.');
  }
  return idText(token, memberText(sent, '_meta') ?? '', 'progressToken');
}

/**
 * Every member of a name is replaced, so a doubled one cannot carry a hidden tool's name past the group.
 * @param sent the client's params, raw JSON text
 */
function paramsFor(sent: string, tool: string, token: string | undefined): (ours: number) => string {
  const params = replaceMembers(sent, 0, { name: JSON.stringify(tool) });
  if (token === undefined) return () => params;
  return (ours) => replaceMembers(params, 0, { _meta: (meta) => withToken(meta, String(ours)) });
}

function withClientToken(notification: string, token: string): string {
  return replaceMembers(notification, 0, { params: (params) => withToken(params, token) });
}

function withToken(text: string, token: string): string {
  return replaceMembers(text, 0, { progressToken: token });
}

function outcomeOf(answer: UpstreamAnswer): string {
  if ('error' in answer) return 'rpc_error';
  const mayBeError = answer.result.includes('"isError"');
  return mayBeError && memberText(answer.result, 'isError') === 'true' ? 'tool_error' : 'ok';
}

function errorResult(failure: Failure): string {
  return JSON.stringify({ content: [{ type: 'text', text: failure.message }], isError: true });
}

/** Names come from the caller: bounded, and quoted so that no control character survives. */
function unknownTool(name: string): Failure {
  return new Failure('tool_not_found', `Unknown tool: ${JSON.stringify(name.slice(0, 128))}`);
}
