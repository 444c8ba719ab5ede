/**
 * An agent of a stack under test. Its session is opened once and lives through everything that happens to the stack:
 * that it goes on working is part of what is tested.
 */
import * as assert from 'uvu/assert';
import { openSession, type PlainSession } from '../support/mcp-client.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Checkout } from './checkout.ts';

export interface Agent {
  /** Names in its group, as `tools/list` gives them. */
  listed(): Promise<string[]>;
  /** The text of a call's first content. */
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<string>;
  /** Lists and calls without a pause until it is stopped. */
  startLoad(): Load;
}

export interface Load {
  calls(): number;
  /** One entry for each answer that was not what it should be. */
  stop(): Promise<readonly string[]>;
}

type Gateway = Pick<Checkout, 'gatewayUrl'>;

export async function createAgent({ gatewayUrl }: Gateway): Promise<Agent> {
  const session = await openSession(`${gatewayUrl}/v0/groups/svc-global/mcp`);
  return {
    async listed() {
      const { body } = await session.request('tools/list');
      return body.result.tools.map(({ name }: { name: string }) => name);
    },
    async call(name, args) {
      const { text, body } = await session.request('tools/call', { name, arguments: args });
      assert.ok(body?.result && !body.result.isError, text);
      return body.result.content[0].text;
    },
    startLoad: () => startLoad(session),
  };
}

/** Names of all registered tools, from the flat list. */
export async function allTools({ gatewayUrl }: Gateway): Promise<string[]> {
  const tools: { name: string }[] = await (await fetch(`${gatewayUrl}/api/v0/tools`)).json();
  return tools.map(({ name }) => name);
}

export async function assertCalls(agent: Agent): Promise<void> {
  assert.match(await agent.call('everything__echo', { message: 'through the stack' }), /through the stack/);
  assert.match(await agent.call('filesystem__list_directory', { path: '/app/docs' }), /decisions/);
}

/** A new agent can come and go. */
export async function assertWelcomes({ gatewayUrl }: Gateway): Promise<void> {
  const session = await waitUntil('a new session is opened', () =>
    openSession(`${gatewayUrl}/v0/groups/svc-global/mcp`).catch(() => undefined),
  );
  assert.is(await session.delete(), 204);
}

function startLoad(session: PlainSession): Load {
  const failures: string[] = [];
  let calls = 0;
  let isStopped = false;
  const sum = { name: 'everything__get-sum', arguments: { a: 2, b: 3 } };

  async function work(): Promise<void> {
    while (!isStopped) {
      for (const [method, params] of [
        ['tools/list', undefined],
        ['tools/call', sum],
      ] as const) {
        const { status, text, body } = await session.request(method, params);
        calls += 1;
        if (status !== 200 || !body?.result || body.result.isError)
          failures.push(`${method}: ${status} ${text}`);
      }
    }
  }

  const done = work();
  return {
    calls: () => calls,
    async stop() {
      isStopped = true;
      await done;
      return failures;
    },
  };
}
