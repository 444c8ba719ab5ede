/** Calls of one tool, one after the other, for as long as a test needs to know how the service fares. */
import type { PlainSession } from './mcp-client.ts';

export interface SteadyLoad {
  /** When a call last succeeded, `performance.now()`. */
  lastSuccess(): number;
  readonly counts: { readonly succeeded: number; readonly failed: number };
  /** Anything but a result, with or without `isError`: a broken promise of the gateway itself. */
  readonly broken: readonly string[];
  stop(): Promise<void>;
}

export function startLoad(session: PlainSession, tool: string, args: object, pauseMs = 10): SteadyLoad {
  const counts = { succeeded: 0, failed: 0 };
  const broken: string[] = [];
  let lastSuccess = 0;
  let isStopped = false;

  const running = (async () => {
    while (!isStopped) {
      const { status, body, text } = await session
        .request('tools/call', { name: tool, arguments: args })
        .catch((error: unknown) => ({ status: 0, body: undefined, text: String(error) }));
      if (status !== 200 || body?.result === undefined) broken.push(`${status} ${text}`);
      else if (body.result.isError) counts.failed += 1;
      else {
        counts.succeeded += 1;
        lastSuccess = performance.now();
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  })();

  return {
    lastSuccess: () => lastSuccess,
    counts,
    broken,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
