import type { ProvisionWatch } from '../../../lib/containers/images/provision-steps.ts';
import type { ContainerState } from '../../../lib/containers/store/container-store.ts';
import { problemsOf } from '../../../lib/definitions/some-problems.ts';
import type { Registration } from '../../../lib/registry/registry.ts';
import { createBoundedStream } from '../../../lib/streams/bounded-stream.ts';
import { keepAliveLine, namedEvent } from '../../../lib/streams/event-stream-text.ts';

/** What `POST /api/servers/provision` answers, whole or step by step. */

/** The body of the 201. */
export function provisionAnswer(
  { server, warnings }: Registration,
  container: ContainerState | undefined,
): Record<string, unknown> {
  const { name, tools } = server;
  const count = tools.length === 1 ? '1 tool' : `${tools.length} tools`;
  return {
    message: `Server ${name} is provisioned with ${count}.`,
    name,
    container_name: container?.name,
    container_running: container?.running ?? false,
    tool_count: tools.length,
    tools: tools.map((tool) => tool.fullName),
    warnings,
    ...problemsOf(server),
  };
}

export interface StreamedProvision {
  readonly run: (watch: ProvisionWatch) => Promise<Record<string, unknown>>;
  /** The body of a failure that came after the stream began. */
  readonly failed: (error: unknown) => Record<string, unknown>;
  readonly signal: AbortSignal;
}

/**
 * `step` events, then `done` or `failed`. What is refused before its first step rejects, so that it can be answered
 * with a status of its own. A reader that leaves calls the provision off.
 */
export async function streamProvision(provision: StreamedProvision): Promise<ReadableStream<Uint8Array>> {
  const left = new AbortController();
  const onClose = () => left.abort();
  const stream = createBoundedStream({ onClose, signal: provision.signal, keepAlive: keepAliveLine });
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
    provision.run({ onStep, signal: left.signal }).then(
      (body) => {
        stream.end(namedEvent('done', body));
        begin();
      },
      (error: unknown) => {
        if (hasBegun) return stream.end(namedEvent('failed', provision.failed(error)));
        stream.close();
        reject(error);
      },
    );
  });
}
