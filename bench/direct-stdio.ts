/**
 * The direct connection to a stdio server, to compare with: spawns it, keeps one call in flight per caller,
 * and prints `{rps, p50}`. As lean as it gets: ids counted up, lines written together once per turn.
 * `node --import tsx bench/direct-stdio.ts <server.mjs> <callers> <seconds>`
 */
import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';

const [server = '', clientChannels = '1', seconds = '3'] = process.argv.slice(2);
const child = spawn(process.execPath, [server], { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map<number, (result: unknown) => void>();
let lastId = 0;
let unsent = '';

createInterface({ input: child.stdout }).on('line', (line) => {
  const { id, result } = JSON.parse(line) as { id: number; result: unknown };
  waiting.get(id)?.(result);
  waiting.delete(id);
});

function request(method: string, params: object): Promise<unknown> {
  lastId += 1;
  const id = lastId;
  if (unsent === '') setImmediate(flush);
  unsent += `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  return new Promise((resolve) => waiting.set(id, resolve));
}

function flush(): void {
  child.stdin.write(unsent);
  unsent = '';
}

async function clientChannel(until: number, times: number[]): Promise<void> {
  while (performance.now() < until) {
    const text = `${'abcdefgh'.repeat(11)}-${String(lastId).padStart(11, '0')}`;
    const startedAt = performance.now();
    const result = await request('tools/call', { name: 'echo', arguments: { text } });
    times.push(performance.now() - startedAt);
    if (!JSON.stringify(result).includes(text)) throw new Error('wrong answer');
  }
}

async function run(forSeconds: number): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + forSeconds * 1000;
  await Promise.all(Array.from({ length: Number(clientChannels) }, () => clientChannel(until, times)));
  return times;
}

await request('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: {} });
await run(0.5);
const times = (await run(Number(seconds))).sort((a, b) => a - b);
console.log(JSON.stringify({ rps: times.length / Number(seconds), p50: times[times.length >> 1] }));
child.kill();
