/**
 * Readers that do not read: what they cost in memory, and what others notice of them. Their own calls are over by then, and
 * what is kept of them is stored, since work that is done for somebody else is another matter; what goes on is news for
 * all of them.
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { readServer, switchTool } from '../../tests/support/manager-api.ts';
import { openSession } from '../../tests/support/mcp-client.ts';
import { waitUntil } from '../../tests/support/wait-until.ts';
import { atMost, type Measurement, median } from '../figure.ts';
import { clientChannels, load } from '../mcpload.ts';
import type { Stage } from '../stage.ts';

const readers = 200;
const mostMegabytesEach = 2;

export const stalled: Measurement = {
  name: 'stalled',
  async measure(stage) {
    const ratios: number[] = [];
    let megabytes = 0;
    let note = '';
    for (let round = 0; round < Math.max(3, stage.rounds); round += 1) {
      const before = await p99(stage);
      const resident = residentMegabytes(stage);
      const crowd = await openCrowd(stage);
      const during = await p99(stage);
      megabytes = Math.max(megabytes, residentMegabytes(stage) - resident);
      crowd.leave();
      ratios.push(during / before);
      note = `p99 ${during} ms against ${before} ms in the last round`;
    }
    return [
      atMost(`${readers} stalled readers: p99 of the others`, median(ratios), 1.2, 'times', note),
      atMost(`${readers} stalled readers: memory`, megabytes, readers * mostMegabytesEach, 'MB'),
    ];
  },
};

/** Of calls by 16 others, while their group changes all the time. */
async function p99(stage: Stage): Promise<number> {
  let isOn = true;
  const changing = setInterval(() => {
    isOn = !isOn;
    switchTool(stage.service, 'stdio', 'stdio__tool_0003', isOn).catch(() => {});
  }, 1_000);
  try {
    return (await load(stage, stage.stdio, 'call', clientChannels(stage, 16, Math.max(2, stage.seconds))))
      .p99;
  } finally {
    clearInterval(changing);
    await switchTool(stage.service, 'stdio', 'stdio__tool_0003', true);
  }
}

/** Each has its listening stream and a call with progress open, and reads neither. */
async function openCrowd(stage: Stage): Promise<{ leave(): void }> {
  const sockets: Socket[] = [];
  for (let n = 0; n < readers; n += 1) {
    const { id } = await openSession(stage.stdio.url, { protocolVersion: '2025-11-25' });
    sockets.push(ask(stage.stdio.url, 'GET', id), ask(stage.stdio.url, 'POST', id, call(stage)));
  }
  const isOver = async () => (await readServer(stage.service, 'stdio')).in_flight === 0;
  await waitUntil('their calls are over', isOver, { limitMs: 120_000, everyMs: 250 });
  await waitUntil('the service rests', () => rests(stage), { limitMs: 30_000, everyMs: 250 });
  return {
    leave() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function call({ stdio }: Stage): string {
  const params = {
    name: stdio.tool.replace('__echo', '__progress_echo'),
    arguments: { text: 'x'.repeat(262_144), steps: 1_000 },
    _meta: { progressToken: 'stalled' },
  };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}

/** Sends a request and reads nothing of the answer. */
function ask(url: string, method: 'GET' | 'POST', sessionId: string, body = ''): Socket {
  const { hostname, port, pathname, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.pause();
  const headers = {
    Host: host,
    Accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Mcp-Session-Id': sessionId,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.write(`${method} ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  return socket;
}

/** Whether it used less than a tenth of a core for a quarter of a second. */
async function rests(stage: Stage): Promise<boolean> {
  const before = cpuTicks(stage);
  await new Promise((resolve) => setTimeout(resolve, 250));
  return cpuTicks(stage) - before <= 2;
}

/** Hundredths of a second of CPU that it used so far. */
function cpuTicks({ service }: Stage): number {
  const [, fields = ''] = readFileSync(`/proc/${service.pid()}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return (user ?? 0) + (system ?? 0);
}

function residentMegabytes({ service }: Stage): number {
  const status = readFileSync(`/proc/${service.pid()}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}
