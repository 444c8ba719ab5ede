/**
 * The official SDK client as an agent with a user behind it: it lets servers sample, asks its user on their behalf,
 * has one root, and remembers what it was asked and told.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type ClientCapabilities,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { RoutedFetch } from './routed-fetch.ts';

export interface AnsweringClient {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  /** Requests of servers: method and params, in order. */
  readonly asked: readonly Told[];
  /** Notifications, progress excepted, in order. */
  readonly told: Told[];
  /** The text of a tool's first content. */
  call(name: string, args?: object): Promise<string>;
  close(): Promise<void>;
}

export interface Told {
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of any shape
  readonly params: any;
}

/** What it answers: `sampled` is the model's text, `name` what the user typed into a form. */
export interface UserAnswers {
  readonly sampled?: string;
  readonly name?: string;
  /** URIs, asked for each time. */
  readonly roots?: () => readonly string[];
}

export interface AnsweringClientOptions {
  readonly fetch?: RoutedFetch;
  readonly answers?: UserAnswers;
  /** How often it asks again for the rest of a stream. The SDK's timers for that outlive `close`. */
  readonly maxRetries?: number;
  /** What it declares, in place of plain sampling, elicitation and roots. */
  readonly capabilities?: ClientCapabilities;
}

const usual: ClientCapabilities = {
  sampling: {},
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
};

export async function connectAnsweringClient(
  url: string,
  options: AnsweringClientOptions = {},
): Promise<AnsweringClient> {
  const { capabilities = usual } = options;
  const client = new Client({ name: 'agent', version: '1' }, { capabilities });
  const asked: Told[] = [];
  const told: Told[] = [];
  answerServers(client, capabilities, asked, options.answers ?? {});
  client.fallbackNotificationHandler = async ({ method, params }) => void told.push({ method, params });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    ...(options.fetch ? { fetch: options.fetch } : {}),
    reconnectionOptions: {
      initialReconnectionDelay: 50,
      maxReconnectionDelay: 500,
      reconnectionDelayGrowFactor: 2,
      maxRetries: options.maxRetries ?? 20,
    },
  });
  await client.connect(transport);
  return {
    client,
    transport,
    asked,
    told,
    async call(name, args = {}) {
      const { content } = await client.callTool({ name, arguments: { ...args } });
      return (content as { text: string }[])[0]?.text ?? '';
    },
    close: () => client.close(),
  };
}

function answerServers(
  client: Client,
  { sampling, elicitation, roots }: ClientCapabilities,
  asked: Told[],
  { sampled = 'a model', name = 'Ada', roots: uris }: UserAnswers,
): void {
  // The SDK refuses handlers for what is not declared.
  if (sampling) answerSampling();
  if (elicitation) answerElicitation();
  if (roots) answerRoots();

  function answerSampling() {
    client.setRequestHandler(CreateMessageRequestSchema, async ({ method, params }) => {
      asked.push({ method, params });
      return { role: 'assistant', model: 'test', content: { type: 'text', text: sampled } };
    });
  }

  function answerElicitation() {
    client.setRequestHandler(ElicitRequestSchema, async ({ method, params }) => {
      asked.push({ method, params });
      return params.mode === 'url'
        ? { action: 'accept' }
        : { action: 'accept', content: { name, check: true } };
    });
  }

  function answerRoots() {
    client.setRequestHandler(ListRootsRequestSchema, async ({ method, params }) => {
      asked.push({ method, params });
      return { roots: uris?.().map((uri) => ({ uri })) ?? [{ uri: 'file:///work', name: 'Work' }] };
    });
  }
}
