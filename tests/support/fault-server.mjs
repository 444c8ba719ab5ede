// An MCP server that misbehaves on demand, over stdio, or with `--port N` over Streamable HTTP.
// Tools do what they are called; `--on-start MODE` misbehaves before the handshake is over.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import http from 'node:http';

const flag = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const port = flag('port', undefined);
const onStart = flag('on-start', undefined);
const version = flag('protocol', undefined);
const pages = Number(flag('pages', '1'));
const journal = flag('journal', undefined);
const toolCount = Number(flag('tools', '0'));

const names = [
  'echo', 'pid', 'env', 'hang', 'crash', 'garbage', 'flood', 'slow', 'huge_line', 'twice', 'wrong_id', 'late',
  'progress', 'slow_progress', 'list_changed', 'ask', 'stderr', 'neither', 'rpc_error', 'batch', 'big_numbers', 'sum',
  'ask_and_cancel', 'ask_and_leave', 'log', 'tell', 'level',
];
let changes = 0;
const toolNames = () => [
  ...names,
  ...(flag('outside', 'no') === 'yes' ? ['ask_outside', 'answers'] : []),
  ...Array.from({ length: toolCount }, (_, n) => `extra_${n}`),
  ...Array.from({ length: changes }, (_, n) => `new_${n}`),
];
const record = (entry) => journal && appendFileSync(journal, `${JSON.stringify(entry)}\n`);
const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const waiting = new Map();
let asked = 0;
/** To what was asked outside of calls, in the order of their coming. */
const answers = [];
let level = 'none';

/** `reply` sends one message to the client: an object, or raw text. */
async function handle(message, reply) {
  record(message);
  if (message.method === undefined) return waiting.get(message.id)?.(message);
  if (message.method === 'notifications/initialized' && onStart === 'wants_roots') askOutside('roots/list');
  if (message.id === undefined) return;
  const answer = (result) => reply({ jsonrpc: '2.0', id: message.id, result });
  switch (message.method) {
    case 'initialize':
      if (onStart === 'hang') return;
      if (onStart === 'crash') process.exit(3);
      if (onStart === 'refuse') return reply({ jsonrpc: '2.0', id: message.id, error: { code: -32600, message: 'no' } });
      if (onStart === 'banner') for (let n = 0; n < 20; n++) reply('Welcome to the fault server!');
      return answer({
        protocolVersion: version ?? message.params.protocolVersion,
        capabilities: onStart === 'no_tools' ? {} : { tools: { listChanged: true }, ...(onStart === 'no_logging' ? {} : { logging: {} }) },
        serverInfo: { name: 'fault', version: '1' },
      });
    case 'ping':
      return answer({});
    case 'logging/setLevel':
      level = message.params.level;
      return answer({});
    case 'tools/list':
      return list(message, answer);
    case 'tools/call':
      return call(message, reply, answer);
    default:
      return reply({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } });
  }
}

function askOutside(method, params = {}) {
  const id = `outside-${++asked}`;
  waiting.set(id, ({ result, error }) => answers.push({ result, error }));
  say({ jsonrpc: '2.0', id, method, params });
  return id;
}

function list(message, answer) {
  const tools = toolNames().map((name) => ({ name, inputSchema: { type: 'object' } }));
  if (onStart === 'bad_tools') return answer({ tools: [...tools, { inputSchema: {} }, { name: 'echo', second: true }] });
  if (onStart === 'endless_pages') return answer({ tools: [], nextCursor: randomUUID() });
  if (onStart === 'repeated_cursor') return answer({ tools: [], nextCursor: 'again' });
  const page = Number(message.params?.cursor ?? 0);
  const size = Math.ceil(tools.length / pages);
  const nextCursor = page + 1 < pages ? String(page + 1) : undefined;
  return answer({ tools: tools.slice(page * size, (page + 1) * size), nextCursor });
}

async function call(message, reply, answer) {
  const { name, arguments: args = {}, _meta } = message.params;
  const progress = (n) =>
    reply({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: _meta?.progressToken, progress: n } });
  switch (name) {
    case 'pid':
      return answer(text(process.pid));
    case 'env':
      return answer(text(JSON.stringify(process.env)));
    case 'hang':
      return;
    case 'crash':
      process.stderr.write('about to crash\n');
      return setTimeout(() => process.exit(7), 20);
    case 'garbage':
      for (const line of ['no JSON', '{"half":', '[]', 'null', '{"id":{}}']) reply(line);
      return answer(text('after garbage'));
    case 'flood':
      for (let n = 0; n < (args.lines ?? 100_000); n++) reply('y');
      return answer(text('flooded'));
    case 'slow':
      await pause(args.ms ?? 100);
      return answer(text('slow'));
    case 'huge_line':
      return answer(text('x'.repeat(args.bytes)));
    case 'twice':
      answer(text('first'));
      return answer(text('second'));
    case 'wrong_id':
      for (const id of [999_999, String(message.id), null]) reply({ jsonrpc: '2.0', id, result: text('wrong') });
      return answer(text('right'));
    case 'late':
      await pause(args.ms);
      return answer(text('late'));
    case 'progress':
      for (let n = 1; n <= 5; n++) progress(n);
      return answer(text('done'));
    case 'slow_progress':
      for (let n = 1; n <= args.steps; n++) {
        await pause(args.ms);
        progress(n);
      }
      return answer(text('done'));
    case 'list_changed':
      changes++;
      for (let n = 0; n < (args.times ?? 1); n++) say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
      return answer(text('changed'));
    case 'ask': {
      const id = `ask-${++asked}`;
      const asks = { jsonrpc: '2.0', id, method: args.method, params: args.params ?? {} };
      const response = await new Promise((resolve) => {
        waiting.set(id, resolve);
        reply(asks);
      });
      return answer(text(JSON.stringify(response)));
    }
    case 'ask_and_cancel': {
      const id = `ask-${++asked}`;
      waiting.set(id, () => record({ answeredAfterCancel: id }));
      reply({ jsonrpc: '2.0', id, method: args.method, params: args.params ?? {} });
      await pause(args.ms ?? 50);
      reply({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
      await pause(args.ms ?? 50);
      return answer(text('taken back'));
    }
    case 'ask_and_leave':
      reply({ jsonrpc: '2.0', id: `ask-${++asked}`, method: args.method, params: args.params ?? {} });
      await pause(args.ms ?? 50);
      return answer(text('left'));
    case 'ask_outside': {
      // Of no call, whether it is asked before the answer or behind it.
      if (args.isDuring !== true) answer(text('asked'));
      const ids = Array.from({ length: args.times ?? 1 }, () => askOutside(args.method, args.params));
      if (args.isTakenBack) for (const requestId of ids) say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
      return args.isDuring === true && answer(text('asked'));
    }
    case 'answers':
      return answer(text(JSON.stringify(answers)));
    case 'log':
      for (const entry of args.entries) reply({ jsonrpc: '2.0', method: 'notifications/message', params: entry });
      return answer(text('logged'));
    case 'tell':
      answer(text('told'));
      await pause(args.ms ?? 20);
      return say({ jsonrpc: '2.0', method: args.method, params: args.params });
    case 'level':
      return answer(text(level));
    case 'stderr':
      process.stderr.write(args.text);
      return answer(text('written'));
    case 'neither':
      return reply({ jsonrpc: '2.0', id: message.id });
    case 'rpc_error':
      return reply(`{"jsonrpc":"2.0","id":${message.id},"error":{"code":-32602,"message":"no","data":{"n":12345678901234567890}}}`);
    case 'batch':
      return reply(`[{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":${message.id},"result":{"content":[]}}]`);
    case 'big_numbers':
      return reply(`{"id":${message.id}, "result" : {"n":12345678901234567890,"future":{"a":1.0,"a":2}} ,"jsonrpc":"2.0"}`);
    default:
      return answer(text(args.message ?? name));
  }
}

/** To the client, outside of any call. */
let say = () => {};

function serveStdio() {
  say = (message) => process.stdout.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) handle(JSON.parse(line), say);
  });
  if (onStart === 'stubborn') {
    process.on('SIGTERM', () => {});
    setInterval(() => {}, 1000);
  } else process.stdin.on('end', () => process.exit(0));
  if (onStart === 'ask_roots') say({ jsonrpc: '2.0', id: 'early', method: 'roots/list' });
  if (onStart === 'grandchild') {
    const { pid } = spawn(process.execPath, ['-e', "process.on('SIGTERM',()=>{});setInterval(()=>{},1000)"], { stdio: 'inherit' });
    process.stderr.write(`grandchild ${pid}\n`);
  }
  if (onStart === 'stray') {
    // Neither its group nor its input tells it that we are gone.
    const { pid } = spawn(process.execPath, ['-e', "process.on('SIGTERM',()=>{});setInterval(()=>{},1000)", 'stray'], { stdio: 'ignore', detached: true });
    process.stderr.write(`grandchild ${pid}\n`);
  }
}

function serveHttp() {
  const sessions = new Set();
  const server = http.createServer(async (request, response) => {
    const id = request.headers['mcp-session-id'];
    if (onStart === 'redirect') return response.writeHead(307, { location: '/elsewhere' }).end();
    if (onStart === 'unauthorized') return response.writeHead(401).end();
    if (request.method === 'DELETE') {
      record({ deleted: id });
      sessions.delete(id);
      return response.writeHead(200).end();
    }
    if (request.method === 'GET' && request.headers['last-event-id']) return resume(request.headers['last-event-id'], response);
    if (request.method === 'GET') {
      if (flag('get', 'yes') === 'no') return response.writeHead(405, { allow: 'POST' }).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
      say = (message) => response.write(`data: ${JSON.stringify(message)}\n\n`);
      return;
    }
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const message = JSON.parse(Buffer.concat(chunks).toString());
    record({ headers: request.headers });
    if (message.method === 'initialize') {
      const fresh = randomUUID();
      sessions.add(fresh);
      response.setHeader('mcp-session-id', fresh);
    } else if (!sessions.has(id)) return response.writeHead(404).end();
    if (message.params?.name === 'forget_sessions') sessions.clear();
    if (message.params?.name === 'broken_answer') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }).write('{"jsonrpc"');
      return setTimeout(() => response.destroy(), 20);
    }
    if (message.params?.name === 'status_500') return response.writeHead(500).end('oops');
    if (message.id === undefined || message.method === undefined) {
      await handle(message, () => {});
      return response.writeHead(202).end();
    }
    if (message.params?.name === 'cut_off') return cutOff(message, response);
    answerHttp(message, response);
  });
  server.listen(Number(port), '127.0.0.1', () => process.stdout.write(`listening ${server.address().port}\n`));
}

/** Calls whose streams end before the answer: what is still to come, by the call's id. */
const cuts = new Map();

function cutOff(message, response) {
  const { times = 1, retry = 20 } = message.params.arguments;
  cuts.set(String(message.id), { left: times - 1, message, retry });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`retry: ${retry}\nid: ${message.id}-0\ndata:\n\n`);
}

function resume(eventId, response) {
  const [id, at] = eventId.split('-');
  const cut = cuts.get(id);
  record({ resumed: eventId });
  if (cut === undefined || cut.message.params.arguments.forgets) return response.writeHead(400).end();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const { progressToken } = cut.message.params._meta ?? {};
  const next = cut.left-- > 0
    ? { method: 'notifications/progress', params: { progressToken, progress: Number(at) + 1 } }
    : { id: cut.message.id, result: text('resumed') };
  response.end(`id: ${id}-${Number(at) + 1}\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...next })}\n\n`);
}

/** JSON when there is one message to send, an event stream with `--sse yes`. */
function answerHttp(message, response) {
  if (flag('sse', 'no') === 'no') {
    return handle(message, (value) => {
      const body = typeof value === 'string' ? value : JSON.stringify(value);
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('id: 1\ndata:\n\n');
  handle(message, (value) => {
    const isAnswer = typeof value === 'string' || value.id === message.id;
    response.write(`event: message\ndata: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`);
    if (isAnswer) response.end();
  });
}

if (port === undefined) serveStdio();
else serveHttp();
