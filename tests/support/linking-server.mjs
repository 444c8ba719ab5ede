/**
 * An MCP server over stdio whose results lead to resources that it does not list. Its name is its only argument. Tools:
 * `link` answers with links to `uris`, `embed` with resources of these URIs. It has each resource whose URI does not
 * begin with `lost:`, and tells its name in the text.
 */
import { createInterface } from 'node:readline';

const [, , name] = process.argv;
const contents = (uri) => ({ uri, text: `${uri} of ${name}` });

const tools = {
  link: ({ uris }) => uris.map((uri) => ({ type: 'resource_link', uri, name: uri })),
  embed: ({ uris }) => uris.map((uri) => ({ type: 'resource', resource: contents(uri) })),
};

const results = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name, version: '1' },
  }),
  'tools/list': () => ({
    tools: Object.keys(tools).map((tool) => ({ name: tool, inputSchema: { type: 'object' } })),
  }),
  'tools/call': ({ name: tool, arguments: args }) => ({ content: tools[tool](args) }),
  'resources/list': () => ({ resources: [] }),
  'resources/read': ({ uri }) => ({ contents: [contents(uri)] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  const result = params.uri?.startsWith('lost:') ? undefined : results[method]?.(params);
  const error = { code: -32601, message: `${name} has none` };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) })}\n`);
});
