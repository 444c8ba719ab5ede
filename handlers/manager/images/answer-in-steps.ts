import type { ProvisionWatch } from '../../../lib/containers/images/provision-steps.ts';
import { newRequestId, reportFailure } from '../../../lib/http/report-failure.ts';
import { eventStreamResponse, failureBody, success } from '../../../lib/http/responses.ts';
import type { Log } from '../../../lib/log.ts';
import { readAccept } from '../../../lib/mcp/content-negotiation.ts';
import { createBoundedStream } from '../../../lib/streams/bounded-stream.ts';
import { keepAliveLine, namedEvent } from '../../../lib/streams/event-stream-text.ts';
import type { ManagerContext } from '../context.ts';
import type { ChangedImage, ProvisionedServer } from '../servers/answers.ts';

type Run = (watch: ProvisionWatch) => Promise<ProvisionedServer | ChangedImage>;

/** Answers with the body that `run` resolves with, or step by step to clients that accept an event stream. */
export async function answerInSteps(
  { headers, signal }: Request,
  { log }: Pick<ManagerContext, 'log'>,
  run: Run,
  status: 200 | 201,
): Promise<Response> {
  if (readAccept(headers.get('accept')).eventStream) {
    const requestId = newRequestId();
    const steps = await streamSteps(run, signal, { log, requestId });
    return eventStreamResponse(steps, { 'X-Request-Id': requestId });
  }
  return success(await run({ signal, onStep() {} }), status);
}

/**
 * `step` events, then `done` or `failed`. A failure before the first step rejects, so that its answer has its own
 * status. A client that disconnects aborts the work.
 */
async function streamSteps(
  run: Run,
  signal: AbortSignal,
  { log, requestId }: { readonly log: Log; readonly requestId: string },
): Promise<ReadableStream<Uint8Array>> {
  const left = new AbortController();
  const onClose = () => left.abort();
  const stream = createBoundedStream({ onClose, signal, keepAlive: keepAliveLine });
  return await new Promise((resolve, reject) => {
    let hasBegun = false;
    const begin = () => {
      hasBegun = true;
      resolve(stream.body);
    };
    const onStep: ProvisionWatch['onStep'] = (step) => {
      stream.write(namedEvent('step', step));
      begin();
    };
    run({ onStep, signal: left.signal }).then(
      (body) => {
        stream.end(namedEvent('done', { success: true, ...body }));
        begin();
      },
      (error: unknown) => {
        if (hasBegun) {
          const { failure } = reportFailure(error, log, requestId);
          return stream.end(namedEvent('failed', failureBody(failure, requestId)));
        }
        stream.close();
        reject(error);
      },
    );
  });
}
