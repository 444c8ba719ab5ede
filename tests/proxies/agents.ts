/**
 * Agents as people run them: the official client, each with a session and a stream that it listens on, listing and calling
 * without a pause. What each call came to is kept with its times.
 */
import { randomUUID } from 'node:crypto';
import { type ConnectedClient, connectClient } from '../support/mcp-client.ts';

export interface Call {
  readonly id: string;
  /** Milliseconds, `performance.now()`. */
  readonly begunAt: number;
  readonly endedAt: number;
  /** `wrong`: an answer, but another call's, or a list without the tools. */
  readonly outcome: 'answered' | 'wrong' | 'failed';
  /** What was answered, or why it failed. */
  readonly text: string;
}

export interface Agents {
  readonly calls: readonly Call[];
  /** Each `tools/list`, likewise. */
  readonly lists: readonly Call[];
  /** A sentence for each agent whose session is another one than at the beginning, or is not served any more. */
  lostSessions(): Promise<readonly string[]>;
  /** No further calls; resolves when those under way are over. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export interface AgentsOptions {
  readonly url: string;
  readonly count: number;
  /** In the order in which they are called. */
  readonly tools: readonly Tool[];
  /** Beyond this a call hangs. */
  readonly limitMs?: number;
}

export interface Tool {
  readonly name: string;
  /** Of the call with this id. */
  args(id: string): Readonly<Record<string, unknown>>;
  isAnswer(text: string, id: string): boolean;
}

export async function startAgents({ url, count, tools, limitMs = 30_000 }: AgentsOptions): Promise<Agents> {
  const clients = await Promise.all(Array.from({ length: count }, () => connectClient(url)));
  const sessions = clients.map(({ sessionId }) => sessionId());
  const calls: Call[] = [];
  const lists: Call[] = [];
  let isStopped = false;
  const load = randomUUID();

  async function record(into: Call[], id: string, ask: () => Promise<Pick<Call, 'outcome' | 'text'>>) {
    const begunAt = performance.now();
    const { outcome, text } = await ask().catch((error: unknown) => failed(String(error)));
    into.push({ id, begunAt, endedAt: performance.now(), outcome, text });
  }

  async function work({ client }: ConnectedClient, agent: number): Promise<void> {
    for (let turn = 0; !isStopped; turn += 1) {
      const id = `${load}-${agent}-${turn}`;
      const tool = tools[(agent + turn) % tools.length];
      if (tool === undefined) return;
      await record(lists, id, () => list(client, tools, limitMs));
      await record(calls, id, () => call(client, tool, id, limitMs));
    }
  }

  const working = Promise.all(clients.map(work));
  return {
    calls,
    lists,
    async stop() {
      isStopped = true;
      await working;
    },
    async lostSessions() {
      const lost = await Promise.all(
        clients.map(async ({ client, sessionId }, agent) => {
          const { outcome, text } = await list(client, tools, limitMs).catch((error) =>
            failed(String(error)),
          );
          if (sessionId() !== sessions[agent]) return [`agent ${agent} has another session`];
          return outcome === 'answered' ? [] : [`agent ${agent}: ${text}`];
        }),
      );
      return lost.flat();
    },
    close: async () => void (await Promise.all(clients.map(({ close }) => close()))),
  };
}

type Client = ConnectedClient['client'];
type Outcome = Pick<Call, 'outcome' | 'text'>;

async function list(client: Client, tools: readonly Tool[], timeout: number): Promise<Outcome> {
  const { tools: listed } = await client.listTools({}, { timeout });
  const names = listed.map(({ name }) => name);
  const hasAll = tools.every(({ name }) => names.includes(name));
  return { outcome: hasAll ? 'answered' : 'wrong', text: names.join(' ') };
}

async function call(client: Client, tool: Tool, id: string, timeout: number): Promise<Outcome> {
  const params = { name: tool.name, arguments: tool.args(id) };
  const { content, isError } = await client.callTool(params, undefined, { timeout });
  const [{ text = '' } = {}] = content as { text?: string }[];
  if (isError) return failed(text);
  return { outcome: tool.isAnswer(text, id) ? 'answered' : 'wrong', text };
}

/** A sentence for each that was not answered. */
export function notAnswered(calls: readonly Call[]): string[] {
  return calls
    .filter(({ outcome }) => outcome !== 'answered')
    .map(
      ({ id, outcome, text, begunAt, endedAt }) =>
        `${id} ${outcome} after ${Math.round(endedAt - begunAt)} ms: ${text}`,
    );
}

export function summary(calls: readonly Call[]): string {
  const failures = calls.filter(({ outcome }) => outcome === 'failed').length;
  const longestMs = Math.max(...calls.map(({ begunAt, endedAt }) => endedAt - begunAt));
  return `${calls.length} made, ${failures} failed, the longest ${Math.round(longestMs)} ms`;
}

function failed(text: string): Outcome {
  return { outcome: 'failed', text };
}
