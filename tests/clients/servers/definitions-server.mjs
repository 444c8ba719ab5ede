/**
 * An MCP server over stdio that lists definitions as they are: `node definitions-server.mjs FILE`, where FILE is JSON, raw
 * texts in `tools`, `prompts`, `resources` and `templates`. Each tool and prompt answers with its name, each resource
 * with its URI.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const { tools = [], prompts = [], resources = [], templates = [] } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const pageLength = 400;

function page(member, definitions, { cursor = '0' } = {}) {
  const end = Number(cursor) + pageLength;
  const next = end < definitions.length ? `,"nextCursor":"${end}"` : '';
  return `{"${member}":[${definitions.slice(Number(cursor), end).join(',')}]${next}}`;
}

const methods = {
  initialize: ({ protocolVersion }) =>
    JSON.stringify({
      protocolVersion,
      capabilities: { tools: {}, prompts: {}, resources: {} },
      serverInfo: { name: 'definitions', version: '1' },
    }),
  'tools/list': (params) => page('tools', tools, params),
  'prompts/list': (params) => page('prompts', prompts, params),
  'resources/list': (params) => page('resources', resources, params),
  'resources/templates/list': (params) => page('resourceTemplates', templates, params),
  'tools/call': ({ name }) => JSON.stringify({ content: [{ type: 'text', text: name }], structuredContent: { n: 1 } }),
  'prompts/get': ({ name }) => JSON.stringify({ messages: [{ role: 'user', content: { type: 'text', text: name } }] }),
  'resources/read': ({ uri }) => JSON.stringify({ contents: [{ uri, text: uri }] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = methods[method];
  const rest = answer ? `"result":${answer(params)}` : '"error":{"code":-32601,"message":"Method not found"}';
  process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${rest}}\n`);
});
