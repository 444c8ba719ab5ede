/** `@modelcontextprotocol/client` over Streamable HTTP. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { officialSteps } from './official.mjs';
import { answers, changeCounter, runPlan } from './run-plan.mjs';

await runPlan(async ({ url, headers }) => {
  const capabilities = { sampling: {}, elicitation: {}, roots: {} };
  const client = new Client({ name: 'typescript-v2', version: '1' }, { capabilities });
  const changes = changeCounter();
  client.setRequestHandler('sampling/createMessage', async () => answers.sampled);
  client.setRequestHandler('elicitation/create', async () => answers.elicited);
  client.setRequestHandler('roots/list', async () => answers.roots);
  client.setNotificationHandler('notifications/tools/list_changed', () => changes.add());
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return officialSteps({ client, call: (params, options) => client.callTool(params, options), changes });
});
