import type { ProvisionWatch } from '../../../lib/containers/images/provision-steps.ts';
import { reportFailure } from '../../../lib/http/report-failure.ts';
import { eventStreamResponse, failureBody, success } from '../../../lib/http/responses.ts';
import { readAccept } from '../../../lib/mcp/content-negotiation.ts';
import type { ManagerContext } from '../context.ts';
import { streamProvision } from './provision-answers.ts';

/** Answers with what `run` resolves with: whole, or for those who accept an event stream step by step. */
export async function answerInSteps(
  { headers, signal }: Request,
  { log }: Pick<ManagerContext, 'log'>,
  run: (watch: ProvisionWatch) => Promise<Record<string, unknown>>,
  status: 200 | 201,
): Promise<Response> {
  if (!readAccept(headers.get('accept')).eventStream) {
    return success(await run({ signal, onStep() {} }), status);
  }
  const failed = (error: unknown) => {
    const { failure, requestId } = reportFailure(error, log);
    return failureBody(failure, requestId);
  };
  const done = async (watch: ProvisionWatch) => ({ success: true, ...(await run(watch)) });
  return eventStreamResponse(await streamProvision({ run: done, failed, signal }));
}
