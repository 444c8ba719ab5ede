/**
 * An MCP server over stdio with prompts (on two pages), resources and subscriptions, that does on demand what servers
 * do unasked. Tools: `heard` answers with the subscriptions it was asked for so far, `update` tells of a changed
 * resource, `add` offers a prompt and a resource more, `end` ends the process.
 */
import { createInterface } from 'node:readline';

const heard = [];
const prompts = ['one', 'two', 'three'];
const resources = ['r://one'];
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const notify = (method, params) => send({ method: `notifications/${method}`, params });
const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });

const tools = {
  heard: () => text(heard),
  update({ uri }) {
    notify('resources/updated', { uri, 'x-more': 1 });
    return text('told');
  },
  add({ name }) {
    prompts.push(name);
    resources.push(`r://${name}`);
    notify('prompts/list_changed');
    notify('resources/list_changed');
    return text('added');
  },
  end: () => process.exit(1),
};

const methods = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, prompts: { listChanged: true }, resources: { subscribe: true, listChanged: true } },
    serverInfo: { name: 'offering', version: '1' },
    instructions: 'Ask for one.\0',
  }),
  'tools/list': () => ({
    tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })),
  }),
  'tools/call': ({ name, arguments: args }) => tools[name](args ?? {}),
  'prompts/list': ({ cursor }) =>
    cursor === undefined
      ? { prompts: prompts.slice(0, 2).map((name) => ({ name })), nextCursor: '2' }
      : { prompts: prompts.slice(2).map((name) => ({ name })) },
  'resources/list': () => ({ resources: resources.map((uri) => ({ uri, name: uri })) }),
  'resources/subscribe'({ uri }) {
    heard.push(`+${uri}`);
    return {};
  },
  'resources/unsubscribe'({ uri }) {
    heard.push(`-${uri}`);
    return {};
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  const answer = methods[method];
  if (answer === undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
  else if (params.uri === 'r://refused') send({ id, error: { code: -32002, message: 'refused' } });
  else send({ id, result: answer(params) });
});
