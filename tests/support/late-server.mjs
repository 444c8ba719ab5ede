// An MCP server that asks and logs late, about calls that have ended or were cancelled, over stdio, or with `--port N` over
// Streamable HTTP. `leave` takes down what is to come later; `settle` says all of that in the middle of another call, and
// asks and logs something of its own. Nothing depends on time: its answer comes once everything it asked was answered.
import { randomUUID } from 'node:crypto';
import http from 'node:http';

const flag = (name) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const port = flag('port');
/** Only logs, and never asks. */
const isMute = process.argv.includes('--mute');
/** It says at the start that it logs. */
const declaresLogging = process.argv.includes('--declares-logging');
/** Over HTTP it names no session, so that all who listen are one to it. */
const isSessionless = process.argv.includes('--sessionless');

const names = ['leave', 'settle', 'pid', 'hang'];
const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });

/** What one process, or one session over HTTP, remembers. `say`: to the client, outside of any call. */
function createMemory(say) {
  const left = [];
  const waiting = new Map();
  let waitsForMore = [];

  function ask(reply, mark) {
    const id = randomUUID();
    const params = { message: mark, requestedSchema: { type: 'object', properties: {} } };
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      reply({ jsonrpc: '2.0', id, method: 'elicitation/create', params });
    });
  }

  const log = (reply, mark) =>
    reply({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', data: mark } });

  async function speak(reply, mark) {
    log(reply, mark);
    if (isMute) return { mark };
    const { result, error } = await ask(reply, mark);
    return { mark, result, error };
  }

  return {
    onAnswer: ({ id, result, error }) => waiting.get(id)?.({ result, error }),
    leave(mark) {
      left.push(mark);
      for (const resume of waitsForMore.splice(0)) resume();
    },
    /** `expects`: how many there must be, so that nobody has to guess when a call has arrived. */
    async settle({ mark, expects = 0 }, reply) {
      while (left.length < expects) await new Promise((resolve) => waitsForMore.push(resolve));
      const late = left.splice(0).map((one) => speak(say, one));
      const own = speak(reply, mark);
      return { own: await own, late: await Promise.all(late) };
    },
  };
}

async function handle(message, memory, reply) {
  if (message.method === undefined) return memory.onAnswer(message);
  if (message.id === undefined) return;
  const answer = (result) => reply({ jsonrpc: '2.0', id: message.id, result });
  if (message.method === 'initialize') {
    const { protocolVersion } = message.params;
    const serverInfo = { name: 'late', version: '1' };
    return answer({ protocolVersion, capabilities: declaresLogging ? { tools: {}, logging: {} } : { tools: {} }, serverInfo });
  }
  if (message.method === 'tools/list') {
    return answer({ tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) });
  }
  if (message.method !== 'tools/call') return answer({});
  const { name, arguments: args = {}, _meta } = message.params;
  if (name === 'leave') memory.leave(args.mark);
  // Whoever gives up on a call can wait until it has arrived.
  const progress = { progressToken: _meta?.progressToken, progress: 1 };
  if (args.hangs) reply({ jsonrpc: '2.0', method: 'notifications/progress', params: progress });
  if (name === 'hang' || args.hangs) return;
  if (name === 'settle') return answer(text(JSON.stringify(await memory.settle(args, reply))));
  return answer(text(process.pid));
}

function serveStdio() {
  const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
  const memory = createMemory(say);
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) handle(JSON.parse(line), memory, say);
  });
  process.stdin.on('end', () => process.exit(0));
}

/** What belongs to no call waits for the GET stream. */
function createSession() {
  const backlog = [];
  let stream;
  const say = (message) => (stream ? write(stream, message) : backlog.push(message));
  const listen = (response) => {
    stream = response;
    for (const message of backlog.splice(0)) say(message);
  };
  return { memory: createMemory(say), listen };
}

const write = (response, message) => response.write(`data: ${JSON.stringify(message)}\n\n`);

function serveHttp() {
  const sessions = new Map();
  const only = createSession();
  const server = http.createServer(async (request, response) => {
    const session = isSessionless ? only : sessions.get(request.headers['mcp-session-id']);
    const stream = () => response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
    if (request.method === 'DELETE') return response.writeHead(200).end();
    if (request.method === 'GET') {
      stream();
      return session.listen(response);
    }
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const message = JSON.parse(Buffer.concat(chunks).toString());
    const own = message.method === 'initialize' && !isSessionless ? createSession() : session;
    if (own !== session) {
      const id = randomUUID();
      sessions.set(id, own);
      response.setHeader('mcp-session-id', id);
    }
    if (message.id === undefined || message.method === undefined) {
      await handle(message, own.memory);
      return response.writeHead(202).end();
    }
    stream();
    await handle(message, own.memory, (value) => {
      write(response, value);
      if (value.id === message.id) response.end();
    });
  });
  server.listen(Number(port), '127.0.0.1', () => process.stdout.write(`listening ${server.address().port}\n`));
}

if (port === undefined) serveStdio();
else serveHttp();
