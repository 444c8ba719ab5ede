/** An agent that was there before the trouble began, and is to be served all the while. */
import * as assert from 'uvu/assert';
import { openSession, type PlainSession, postAnew } from './mcp-client.ts';
import type { RunningService } from './run-service.ts';
import { waitUntil } from './wait-until.ts';

export interface ServedAgent {
  readonly session: PlainSession;
  /** How often it listed, called, and listed on a new connection. */
  rounds(): number;
  /** @throws when anything was not answered with a result. */
  assertServed(): Promise<void>;
  /** Asks no more. */
  stop(): void;
}

/** @param tool Full name of one that may be called without arguments. Resolves when the agent was served a few times. */
export async function startServedAgent(service: RunningService, tool: string): Promise<ServedAgent> {
  const session = await openSession(service.groupUrl());
  const failures: string[] = [];
  let [rounds, isStopped] = [0, false];
  const isServed = (text: string) => text.includes('"result"') && !text.includes('isError":true');

  const running = (async () => {
    while (!isStopped) {
      const answers = [
        await session.request('tools/list').then(({ text }) => text, String),
        await session.request('tools/call', { name: tool }).then(({ text }) => text, String),
        await listAnew(service, session),
      ];
      failures.push(...answers.filter((text) => !isServed(text)));
      rounds += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  await waitUntil('it is served', () => rounds > 5);
  const stop = () => {
    isStopped = true;
  };
  return {
    session,
    rounds: () => rounds,
    async assertServed() {
      stop();
      await running;
      assert.equal(failures, []);
    },
    stop,
  };
}

/** The body of `tools/list`, asked for on a connection of its own; what went wrong when there is none. */
export async function listAnew(service: RunningService, { id }: PlainSession): Promise<string> {
  const { status, body } = await postAnew(
    service.groupUrl(),
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { 'Mcp-Session-Id': id },
  );
  return body === '' ? `no answer: ${status}` : body;
}
