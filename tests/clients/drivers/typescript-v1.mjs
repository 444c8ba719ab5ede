/** `@modelcontextprotocol/sdk`, over Streamable HTTP or, where the plan has a `command`, over stdio. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { officialSteps } from './official.mjs';
import { answers, changeCounter, runPlan } from './run-plan.mjs';

await runPlan(async ({ url, headers, command }) => {
  const capabilities = { sampling: {}, elicitation: {}, roots: {} };
  const client = new Client({ name: 'typescript-v1', version: '1' }, { capabilities });
  const changes = changeCounter();
  client.setRequestHandler(CreateMessageRequestSchema, async () => answers.sampled);
  client.setRequestHandler(ElicitRequestSchema, async () => answers.elicited);
  client.setRequestHandler(ListRootsRequestSchema, async () => answers.roots);
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => changes.add());
  const transport =
    command === undefined
      ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
      : new StdioClientTransport({ command: command[0], args: command.slice(1), env: process.env, stderr: 'inherit' });
  await client.connect(transport);
  const call = (params, options) => client.callTool(params, undefined, options);
  return officialSteps({ client, call, changes });
});
