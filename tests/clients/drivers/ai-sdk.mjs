/** `@ai-sdk/mcp`. It asks for no progress, does not hear of changed lists, and has neither sampling nor roots. */
import { createMCPClient, ElicitationRequestSchema } from '@ai-sdk/mcp';
import { allPages, answers, firstText, runPlan } from './run-plan.mjs';

await runPlan(async ({ url, headers }) => {
  const client = await createMCPClient({
    transport: { type: 'http', url, headers },
    capabilities: { elicitation: {} },
  });
  client.onElicitationRequest(ElicitationRequestSchema, async () => answers.elicited);
  const page = (cursor) => ({ params: { cursor } });
  const names = (list) => list.map(({ name }) => name);
  return {
    async listTools() {
      // Its way to make tools of definitions is the one that agents take.
      const tools = await allPages('tools', (cursor) => client.listTools(page(cursor)));
      return Object.keys(client.toolsFromDefinitions({ tools }));
    },
    listPrompts: async () => names(await allPages('prompts', (cursor) => client.listPrompts(page(cursor)))),
    listResources: async () =>
      (await allPages('resources', (cursor) => client.listResources(page(cursor)))).map(({ uri }) => uri),
    listTemplates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    callTool: async ({ name, arguments: args = {} }) => firstText(await client.callTool({ name, arguments: args })),
    getPrompt: async ({ name }) => (await client.getPrompt({ name })).messages[0]?.content.text,
    readResource: async ({ uri }) => (await client.readResource({ uri })).contents[0]?.text,
    close: () => client.close(),
  };
});
