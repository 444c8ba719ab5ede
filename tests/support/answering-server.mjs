// An MCP server that answers with as many bytes as it is asked for, in a shape that is asked for: over stdio, or with
// `--port N` over Streamable HTTP, as JSON or (`as: "events"`) as an event stream. Each answer is made once and kept.
import http from 'node:http';

// `--list N`: it lists so many tools without names.
const flag = (name) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : Number(process.argv[at + 1]);
};
const port = flag('--port');
const listed = flag('--list');

const shapes = {
  nested: (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  objects: (bytes) => `[${'{},'.repeat(bytes / 3)}{}]`,
  members: (bytes) => `[${'{"a":1,"b":2},'.repeat(bytes / 14)}{}]`,
  keys: (bytes) => `{${Array.from({ length: bytes / 12 }, (_, n) => `"k${n}":1`).join(',')}}`,
  doubled: (bytes) => `{}${',"result":{}'.repeat(bytes / 12)}`,
  broken: (bytes) => `{}},"id":${'['.repeat(bytes)}`,
  listed: (bytes) => `{"tools":[${Array(bytes).fill('{}').join(',')}]}`,
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
  if (method === 'tools/list' && listed !== undefined) return answerText({ shape: 'listed', bytes: listed });
  if (method === 'tools/list') return JSON.stringify({ tools: [{ name: 'answer', inputSchema }] });
  const { protocolVersion } = params ?? {};
  const serverInfo = { name: 'answering', version: '1' };
  return JSON.stringify(method === 'initialize' ? { protocolVersion, capabilities: { tools: {} }, serverInfo } : {});
}

function bytesOf(message) {
  const head = `{"jsonrpc":"2.0","id":${message.id},"result":`;
  return Buffer.concat([Buffer.from(head), Buffer.from(resultOf(message)), Buffer.from('}')]);
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Calls with `after_ms` are answered later, others at once. */
async function answer(message, write) {
  const { after_ms: afterMs } = message.params?.arguments ?? {};
  if (afterMs !== undefined) await pause(afterMs);
  write(bytesOf(message));
}

function readStdin() {
  let text = '';
  process.stdin.setEncoding('utf8').on('data', (chunk) => {
    const lines = (text + chunk).split('\n');
    text = lines.pop();
    for (const message of lines.map((line) => JSON.parse(line))) {
      if (message.id !== undefined && message.method !== undefined) {
        answer(message, (bytes) => process.stdout.write(Buffer.concat([bytes, Buffer.from('\n')])));
      }
    }
  });
  process.stdin.on('end', () => process.exit(0));
}

function onRequest(request, response) {
  if (request.method !== 'POST') return response.writeHead(405).end();
  let text = '';
  request.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', () => {
    const message = JSON.parse(text);
    if (message.id === undefined || message.method === undefined) return response.writeHead(202).end();
    const isStream = message.params?.arguments?.as === 'events';
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
    const frame = (bytes) => (isStream ? Buffer.concat([Buffer.from('data: '), bytes, Buffer.from('\n\n')]) : bytes);
    answer(message, (bytes) => response.end(frame(bytes)));
  });
}

if (port === undefined) readStdin();
else {
  const server = http.createServer(onRequest);
  server.listen(port, '127.0.0.1', () => console.log(`listening ${server.address().port}`));
}
