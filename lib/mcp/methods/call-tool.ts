import { Failure, toFailure } from '../../failure.ts';
import { memberText } from '../../json/raw-json.ts';
import { checkArguments, type RequestMessage } from '../../json-rpc/client-messages.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import { answerText, resultText } from '../../json-rpc/write.ts';
import { relay } from './relay.ts';
import type { CallScope, ToolCallDependencies } from './scope.ts';

/**
 * `tools/call`: checks that the tool is in the group, and relays. A server that is down or too slow is answered as a
 * result with `isError`, so that a model can react (docs/protocol.md, error codes).
 * @throws Failure for a mistake of the caller: `invalid_params`, `tool_not_found`, `too_many_requests`.
 */
export async function callTool(
  message: RequestMessage,
  scope: CallScope,
  dependencies: ToolCallDependencies,
): Promise<string> {
  const { view, session, signal, emit, clientChannel } = scope;
  const { metrics, now, upstreams, seenUris } = dependencies;
  const name = message.params.name;
  if (typeof name !== 'string') throw new Failure('invalid_params', '`params.name` must be a string.');
  const tool = view.find(name);
  if (tool === undefined) throw unknownTool(name, view.whyLeftOut(name));
  checkArguments(message.params);
  const startedAt = now();
  const done = (outcome: string) => metrics.countCall(tool.server, tool.name, outcome, now() - startedAt);
  try {
    const replacements = { name: JSON.stringify(tool.name) };
    const relayed = {
      message,
      server: tool.server,
      sessionId: session.id,
      replacements,
      signal,
      emit,
      clientChannel,
    };
    // Not through `relayInGroup`: this saves one promise on the most frequent path.
    const answer = await relay(relayed, upstreams);
    done(callOutcome(answer));
    if ('result' in answer) {
      const recorded = seenUris.record(session.group, tool.server, answer.result, view.features);
      if (recorded) await recorded;
    }
    return answerText(message.id, answer);
  } catch (error) {
    const failure = toFailure(error);
    done(signal.aborted ? 'cancelled' : failure.code);
    // The server was just removed. A 404 would mean to the client that its session is gone (docs/protocol.md, rule 20).
    if (failure.code === 'server_not_found') throw unknownTool(name);
    if (failure.code !== 'upstream_unavailable' && failure.code !== 'upstream_timeout') throw failure;
    return failedCall(message, failure);
  }
}

/** The answer to a call that its tool could not complete: a result, for the model to react to. */
export function failedCall(message: RequestMessage, failure: Failure): string {
  return resultText(message.id, errorResult(failure));
}

/** As `Metrics` counts it. */
export function callOutcome(answer: RawAnswer): string {
  if ('error' in answer) return 'rpc_error';
  if (answer.isError !== undefined) return answer.isError ? 'tool_error' : 'ok';
  const mayBeError = answer.result.includes('"isError"');
  return mayBeError && memberText(answer.result, 'isError') === 'true' ? 'tool_error' : 'ok';
}

function errorResult(failure: Failure): string {
  return JSON.stringify({ content: [{ type: 'text', text: failure.message }], isError: true });
}

/** Callers choose names: bounded, and quoted so that no control character survives. */
function unknownTool(name: string, why?: string): Failure {
  const sentence = `Unknown tool: ${JSON.stringify(name.slice(0, 128))}`;
  return new Failure('tool_not_found', why === undefined ? sentence : `${sentence}. ${why}`);
}
