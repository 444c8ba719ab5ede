// An MCP server that answers with as many bytes as it is asked for, in a shape that is asked for: over stdio, or with
// `--port N` over Streamable HTTP, as JSON or (`as: "events"`) as an event stream. Each answer is made once and kept.
import http from 'node:http';

const at = process.argv.indexOf('--port');
const port = at < 0 ? undefined : Number(process.argv[at + 1]);

const shapes = {
  nested: (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  objects: (bytes) => `[${'{},'.repeat(bytes / 3)}{}]`,
  members: (bytes) => `[${'{"a":1,"b":2},'.repeat(bytes / 14)}{}]`,
  keys: (bytes) => `{${Array.from({ length: bytes / 12 }, (_, n) => `"k${n}":1`).join(',')}}`,
  doubled: (bytes) => `{}${',"result":{}'.repeat(bytes / 12)}`,
  spaces: (bytes) => `${' '.repeat(bytes)}{}`,
  text: (bytes) => content('x'.repeat(bytes)),
  wide: (bytes) => content('漢'.repeat(bytes / 3)),
  quotes: (bytes) => content('"'.repeat(bytes / 2)),
  failed: (bytes) => content('x'.repeat(bytes), ',"isError":true'),
};
const content = (text, more = '') => `{"content":[{"type":"text","text":${JSON.stringify(text)}}]${more}}`;
const made = new Map();

function answerText({ shape, bytes }) {
  const key = `${shape} ${bytes}`;
  if (!made.has(key)) made.set(key, Buffer.from(shapes[shape](bytes)));
  return made.get(key);
}

function resultOf({ method, params }) {
  if (method === 'tools/call') return answerText(params.arguments);
  const inputSchema = { type: 'object' };
  if (method === 'tools/list') return JSON.stringify({ tools: [{ name: 'answer', inputSchema }] });
  const { protocolVersion } = params ?? {};
  const serverInfo = { name: 'answering', version: '1' };
  return JSON.stringify(method === 'initialize' ? { protocolVersion, capabilities: { tools: {} }, serverInfo } : {});
}

function bytesOf(message) {
  const head = `{"jsonrpc":"2.0","id":${message.id},"result":`;
  return Buffer.concat([Buffer.from(head), Buffer.from(resultOf(message)), Buffer.from('}')]);
}

const pieces = (stream) => {
  let text = '';
  return stream.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
    if (port !== undefined) return;
    const lines = text.split('\n');
    text = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      if (message.id !== undefined) process.stdout.write(Buffer.concat([bytesOf(message), Buffer.from('\n')]));
    }
  }).on('close', () => (text = '')) && (() => text);
};

if (port === undefined) {
  pieces(process.stdin);
  process.stdin.on('end', () => process.exit(0));
} else {
  http
    .createServer((request, response) => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const read = pieces(request);
      request.on('end', () => {
        const message = JSON.parse(read());
        if (message.id === undefined) return response.writeHead(202).end();
        const isStream = message.params?.arguments?.as === 'events';
        response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
        const bytes = bytesOf(message);
        response.end(isStream ? Buffer.concat([Buffer.from('data: '), bytes, Buffer.from('\n\n')]) : bytes);
      });
    })
    .listen(port, '127.0.0.1', () => console.log(`listening on ${port}`));
}
