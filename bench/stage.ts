/**
 * What is measured and with what: our service with the harness's own upstreams (one over stdio, one over
 * HTTP), the bare `node:http` limit, and the HTTP upstream itself as the direct connection.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../tests/support/free-port.ts';
import { type RunningService, type RunServiceOptions, runService } from '../tests/support/run-service.ts';
import { waitUntil } from '../tests/support/wait-until.ts';

export interface Stage {
  readonly isQuick: boolean;
  readonly service: RunningService;
  /** What the sessions are written to. */
  readonly database: 'postgres' | 'embedded';
  readonly harnessDir: string;
  readonly limit: Target;
  readonly direct: Target;
  readonly stdio: Target;
  readonly http: Target;
  /** Seconds of one load phase. */
  readonly seconds: number;
  /** Rounds of A B A B. */
  readonly rounds: number;
  httpUpstreamPid(): number;
  /** The command that starts the HTTP upstream, for a shell. */
  readonly httpUpstreamCommand: string;
  /** Takes back the HTTP upstream after a measurement had it killed and started by others. */
  replaceHttpUpstream(strayPid: number | null): Promise<void>;
  untilToolsReady(limitMs?: number): Promise<void>;
  remove(): Promise<void>;
}

export interface Target {
  readonly url: string;
  readonly tool: string;
}

export interface StageOptions {
  readonly harnessDir: string;
  readonly isQuick: boolean;
  readonly database: 'postgres' | 'embedded';
}

const toolNames = [
  'echo',
  'progress_echo',
  ...Array.from({ length: 8 }, (_, index) => `tool_000${index + 2}`),
];

export async function createStage({ harnessDir, isQuick, database }: StageOptions): Promise<Stage> {
  const [limitPort, upstreamPort] = [await freePort(), await freePort()];
  const upstream = [join(harnessDir, 'upstream-http.mjs'), '--port', String(upstreamPort)];
  const limit = await startScript([join(harnessDir, 'limit-http.mjs'), '--port', String(limitPort)]);
  let direct = await startScript(upstream);
  const directUrl = `http://127.0.0.1:${upstreamPort}/mcp`;
  const service = await runService(serviceOptions({ database, harnessDir, direct: { url: directUrl } }));
  const stage: Stage = {
    isQuick,
    service,
    database,
    harnessDir,
    limit: { url: `http://127.0.0.1:${limitPort}/mcp`, tool: 'echo' },
    direct: { url: directUrl, tool: 'echo' },
    stdio: { url: service.groupUrl('stdio'), tool: 'stdio__echo' },
    http: { url: service.groupUrl('http'), tool: 'http__echo' },
    seconds: isQuick ? 1 : 3,
    rounds: isQuick ? 1 : 3,
    httpUpstreamPid: () => direct.pid ?? 0,
    httpUpstreamCommand: [process.execPath, ...upstream].join(' '),
    async replaceHttpUpstream(strayPid) {
      if (strayPid !== null) process.kill(strayPid, 'SIGKILL');
      direct.kill('SIGKILL');
      await new Promise((resolve) => setTimeout(resolve, 200));
      direct = await startScript(upstream);
    },
    untilToolsReady: (limitMs = 20_000) => untilToolsReady(service, limitMs),
    async remove() {
      limit.kill('SIGKILL');
      direct.kill('SIGKILL');
      await service.remove();
    },
  };
  await stage.untilToolsReady();
  return stage;
}

/** What a service needs to have the two servers and their groups. */
export function serviceOptions(
  stage: Pick<Stage, 'database' | 'harnessDir'> & { readonly direct: Pick<Target, 'url'> },
): RunServiceOptions {
  return {
    database: stage.database,
    groups: { stdio: group('stdio'), http: group('http') },
    configs: {
      stdio: stdioServer(stage.harnessDir),
      http: { name: 'http', transport: 'streamable_http', url: stage.direct.url },
    },
    // More are opened than anybody has.
    env: { MAX_SESSIONS: '1000000' },
  };
}

function group(server: string) {
  return { name: server, description: '', included_tools: toolNames.map((tool) => `${server}__${tool}`) };
}

function stdioServer(harnessDir: string) {
  const args = [join(harnessDir, 'upstream-stdio.mjs')];
  return { name: 'stdio', transport: 'stdio', command: process.execPath, args };
}

export async function untilToolsReady(service: RunningService, limitMs: number): Promise<void> {
  const isReady = async () => {
    const tools = (await (await fetch(`${service.gatewayUrl}/api/v0/tools`)).json()) as unknown[];
    return tools.length === 2 * toolNames.length;
  };
  await waitUntil('all tools are listed', isReady, { limitMs, everyMs: 5 });
}

/** Starts a script of the harness; each prints one line when it listens. */
async function startScript(args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  return child;
}
