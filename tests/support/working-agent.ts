/**
 * An agent on the official SDK that works all the while: it lists and calls, one request after the other, listens to its
 * event stream, and comes back to a stream that broke.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { OpenSession } from './installation-view.ts';

export interface WorkingAgent {
  readonly client: Client;
  readonly session: OpenSession;
  /** How often it listed and called. */
  rounds(): number;
  /** What it was told, in order: the method of each notification, and of a log message the data behind it. */
  readonly heard: readonly string[];
  /** The names of each list of tools that it got, each list once. */
  readonly lists: ReadonlySet<string>;
  /** Requests that had no result. */
  readonly failures: readonly string[];
  close(): Promise<void>;
}

export interface WorkingAgentOptions {
  readonly gateways: Rotation;
  readonly group: string;
  /** What agents of the group call it; may be called without arguments. */
  readonly tool: string;
}

/** Gateways that take requests in turn, as a load balancer deals them. */
export interface Rotation {
  readonly fetch: typeof fetch;
  /** Base URLs; who stops a gateway takes it out before. */
  readonly inUse: Set<string>;
}

export function createRotation(urls: readonly string[]): Rotation {
  const inUse = new Set(urls);
  let turn = 0;
  return {
    inUse,
    fetch(input, init) {
      const base = [...inUse][turn++ % inUse.size];
      return fetch(new URL(new URL(String(input)).pathname, base), init);
    },
  };
}

export async function startWorkingAgent({
  gateways,
  group,
  tool,
}: WorkingAgentOptions): Promise<WorkingAgent> {
  const client = new Client({ name: 'a working agent', version: '1' });
  const heard: string[] = [];
  const failures: string[] = [];
  client.setNotificationHandler(ToolListChangedNotificationSchema, ({ method }) => void heard.push(method));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ method, params }) => {
    heard.push(`${method} ${params.data}`);
  });
  const transport = new StreamableHTTPClientTransport(new URL(`http://gateways/v0/groups/${group}/mcp`), {
    fetch: gateways.fetch,
    reconnectionOptions: {
      ...{ initialReconnectionDelay: 100, maxReconnectionDelay: 500 },
      ...{ reconnectionDelayGrowFactor: 1.5, maxRetries: 1000 },
    },
  });
  await client.connect(transport);
  const note = (error: unknown) => void failures.push(String(error));
  const lists = new Set<string>();
  let [rounds, isStopped] = [0, false];

  const working = (async () => {
    while (!isStopped) {
      await client.listTools().then(({ tools }) => lists.add(tools.map(({ name }) => name).join(' ')), note);
      const result = await client.callTool({ name: tool }).catch(note);
      if (result?.isError) note(JSON.stringify(result));
      rounds += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    ...{ client, heard, lists, failures },
    session: { id: transport.sessionId ?? '', group, protocolVersion: transport.protocolVersion ?? '' },
    rounds: () => rounds,
    async close() {
      isStopped = true;
      await working;
      await client.close();
    },
  };
}
