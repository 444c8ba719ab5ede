/** The steps that clients of both official TypeScript SDKs can, which differ in how they are made and told things. */
import { allPages, firstText } from './run-plan.mjs';

/** @param call `callTool` with options, whose place among the arguments differs. */
export function officialSteps({ client, call, changes }) {
  const names = (list) => list.map(({ name }) => name);
  return {
    listTools: async () => names(await allPages('tools', (cursor) => client.listTools({ cursor }))),
    listPrompts: async () => names(await allPages('prompts', (cursor) => client.listPrompts({ cursor }))),
    listResources: async () =>
      (await allPages('resources', (cursor) => client.listResources({ cursor }))).map(({ uri }) => uri),
    listTemplates: async () =>
      (await allPages('resourceTemplates', (cursor) => client.listResourceTemplates({ cursor }))).map(
        ({ uriTemplate }) => uriTemplate,
      ),
    callTool: async ({ name, arguments: args }) => firstText(await client.callTool({ name, arguments: args })),
    async callWithProgress({ name, arguments: args }) {
      const progress = [];
      const onprogress = (report) => progress.push(report.progress);
      const result = await call({ name, arguments: args }, { onprogress });
      return { text: firstText(result), progress };
    },
    async cancel({ name, arguments: args }) {
      const giveUp = new AbortController();
      const onprogress = () => giveUp.abort();
      const calling = call({ name, arguments: args }, { onprogress, signal: giveUp.signal });
      return calling.then(firstText, () => 'given up');
    },
    getPrompt: async ({ name }) => (await client.getPrompt({ name })).messages[0]?.content.text,
    readResource: async ({ uri }) => (await client.readResource({ uri })).contents[0]?.text,
    awaitChange: () => changes.awaitOne(),
    close: () => client.close(),
  };
}
