/**
 * What one server's answers cost everybody else: 15 MB of nested arrays, empty objects, small members and plain text. The
 * service tells itself how long its event loop stood still (`delay-probe.cjs`, loaded beside it and no part of it).
 */
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSession, type PlainSession } from '../../tests/support/mcp-client.ts';
import { type RunningService, runService } from '../../tests/support/run-service.ts';
import {
  answeringServerPath,
  type ListeningServer,
  startListening,
} from '../../tests/support/upstream-fixture.ts';
import { waitUntil } from '../../tests/support/wait-until.ts';
import { atMost, type Figure, type Measurement, median } from '../figure.ts';
import type { Stage } from '../stage.ts';

const shapes = ['nested', 'objects', 'members', 'text'];
const bytes = 15_000_000;
const mostDelayMs = 50;
/** What a forced collection leaves differs by so much from one time to the next. */
const heapMarginMegabytes = 2;
const residentMargin = 1.02;

interface Probe {
  readonly longest: number;
  readonly longestCpu: number;
  readonly heap: number;
  readonly resident: number;
}

export const hostileAnswers: Measurement = {
  name: 'hostile',
  async measure(stage) {
    const server = await startListening(answeringServerPath);
    const socketPath = join(tmpdir(), `bench-probe-${process.pid}`);
    const service = await startProbed(stage, server, socketPath);
    try {
      const session = await openSession(service.groupUrl());
      await waitUntil('the tools are listed', async () => {
        const { body } = await session.request('tools/list');
        return body.result.tools.length === 2;
      });
      const ask = () => askProbe(socketPath);
      return [
        ...(await measureServer('stdio', stage, session, ask)),
        ...(await measureServer('http', stage, session, ask)),
      ];
    } finally {
      await service.remove();
      await server.kill();
    }
  },
};

async function measureServer(
  name: string,
  stage: Stage,
  session: PlainSession,
  ask: () => Promise<Probe>,
): Promise<readonly Figure[]> {
  const times = stage.isQuick ? 2 : 20;
  const more: number[] = [];
  const after: Probe[] = [];
  let note = '';
  await series(session, name, 1);
  const before = await ask();
  for (let round = 0; round < (stage.isQuick ? 2 : 5); round += 1) {
    await series(session, name, times, 100);
    const quiet = await ask();
    await series(session, name, times);
    const hostile = await ask();
    more.push(hostile.longest - quiet.longest);
    after.push(hostile);
    note = `last round ${hostile.longest.toFixed(0)} ms against ${quiet.longest.toFixed(0)} ms, at most ${hostile.longestCpu.toFixed(0)} ms of them computed`;
  }
  const [first, second] = after;
  const last = after.at(-1);
  if (!first || !second || !last) throw new Error('nothing was measured');
  const heap = (last.heap - before.heap) / 1e6;
  return [
    atMost(`15 MB answers over ${name}: loop stood longer by`, median(more), mostDelayMs, 'ms', note),
    atMost(`15 MB answers over ${name}: heap kept`, heap, heapMarginMegabytes, 'MB'),
    atMost(
      `15 MB answers over ${name}: resident, second series`,
      second.resident / first.resident,
      residentMargin,
      'times',
    ),
  ];
}

/** Each shape so many times, one call after the other. */
async function series(session: PlainSession, name: string, times: number, length = bytes): Promise<void> {
  for (const shape of shapes) {
    for (let time = 0; time < times; time += 1) {
      const answer = await session.request('tools/call', {
        name: `${name}__answer`,
        arguments: { shape, bytes: length },
      });
      if (answer.status !== 200) throw new Error(`${shape}: ${answer.status}`);
    }
  }
}

function startProbed(stage: Stage, server: ListeningServer, socketPath: string): Promise<RunningService> {
  const probe = fileURLToPath(new URL('../delay-probe.cjs', import.meta.url));
  return runService({
    database: stage.database,
    env: { NODE_OPTIONS: `--require ${probe}`, BENCH_PROBE_SOCKET: socketPath },
    groups: { 'svc-global': { name: 'svc-global', included_tools: ['stdio__answer', 'http__answer'] } },
    configs: {
      stdio: {
        name: 'stdio',
        transport: 'stdio',
        command: process.execPath,
        args: [answeringServerPath],
        limits: { line_bytes: 16_777_216 },
      },
      http: { name: 'http', transport: 'streamable_http', url: `http://127.0.0.1:${server.port}/mcp` },
    },
  });
}

/** Since it was asked last. */
function askProbe(socketPath: string): Promise<Probe> {
  return new Promise((resolve, reject) => {
    let text = '';
    connect(socketPath)
      .setEncoding('utf8')
      .on('data', (chunk: string) => {
        text += chunk;
      })
      .on('end', () => resolve(JSON.parse(text)))
      .on('error', reject);
  });
}
