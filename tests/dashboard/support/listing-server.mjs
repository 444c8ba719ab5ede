// An MCP server over stdio that lists the tools of a JSON file (`{"description"?, "tools": [...]}`) word for word, and
// answers each call with the text `called <tool>`. A changed file is announced.
import { readFileSync, watchFile } from 'node:fs';

const [path] = process.argv.slice(2);
const read = () => JSON.parse(readFileSync(path, 'utf8'));
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

function answer({ method, params }) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'listing', version: '1' },
      };
    case 'tools/list':
      return { tools: read().tools };
    case 'tools/call':
      return { content: [{ type: 'text', text: `called ${params.name}` }] };
    default:
      return {};
  }
}

watchFile(path, { interval: 100 }, () => send({ method: 'notifications/tools/list_changed' }));

let rest = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const message = JSON.parse(line);
    if (message.id !== undefined && message.method) send({ id: message.id, result: answer(message) });
  }
});
process.stdin.on('end', () => process.exit(0));
