import type { ServerConfig } from '../../../lib/config/server-config.ts';
import type { RawAnswer } from '../../../lib/json-rpc/server-messages.ts';
import { createUpstreams } from '../../../lib/upstreams/create-upstreams.ts';
import type { ClosePurpose, OpenTransport } from '../../../lib/upstreams/transports/transport.ts';
import type { UpstreamRequest, Upstreams } from '../../../lib/upstreams/upstreams.ts';
import { createRecordingLog, type LogEntry } from '../../support/recording-log.ts';
import { readOnlySecrets, serverConfig } from '../../support/upstream-fixture.ts';

/** A server in containers without an engine: `keeps`, whose first argument says what it does. */
export interface ContainerFixture {
  readonly upstreams: Upstreams;
  /** `open a`, `close a stop`, …; a try-out is `a (try-out)`, a session's container `a of s`. */
  readonly steps: readonly string[];
  /** The tools of each listing that was news. */
  readonly listed: (readonly string[])[];
  readonly logged: readonly LogEntry[];
  /** How many containers were on the server's own data at once. */
  readonly mostOnData: number;
  /** Of those that are closed from now on: gone only when `release` is called. */
  lingers: boolean;
  release(): void;
  /** Answers the calls that are held; they are held by servers with `holds`. */
  answerAll(): void;
  /** Serves with this first argument: `a` and the like, `broken` never starts, `broken on data` not on its own data, `holds…` answers no call by itself. */
  install(first: string, fields?: Partial<ServerConfig>): void;
  tryOut(first: string, fields?: Partial<ServerConfig>): ReturnType<Upstreams['prepare']>;
  call(more?: Partial<UpstreamRequest>): Promise<RawAnswer>;
  close(): Promise<void>;
}

export function keepingConfig(first: string, fields: Partial<ServerConfig> = {}): ServerConfig {
  return serverConfig({ name: 'keeps', image: 'tool:1', args: [first], ...fields });
}

export function createContainerFixture(drainMs = 5_000): ContainerFixture {
  const steps: string[] = [];
  const listed: (readonly string[])[] = [];
  const { log, logged } = createRecordingLog();
  const held = new Set<() => void>();
  const leaving = new Set<() => void>();
  let onData = 0;

  const open: OpenTransport = (config, events, sessionId) => {
    const first = config.args[0] ?? '';
    const what = `${first}${sessionId === undefined ? '' : ` of ${sessionId}`}${config.isTryOut ? ' (try-out)' : ''}`;
    const isOnData = !config.isTryOut && sessionId === undefined;
    steps.push(`open ${what}`);
    if (isOnData) fixture.mostOnData = Math.max(fixture.mostOnData, ++onData);
    const answer = (id: number, result: string) =>
      events.onMessage(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
    const isBroken = config.isTryOut ? first === 'broken' : first.startsWith('broken');
    return {
      pid: undefined,
      sendRequest(id, text) {
        const { method } = JSON.parse(text);
        if (method === 'tools/call' && first.startsWith('holds')) {
          held.add(() => answer(id, `"${what}"`));
        } else if (isBroken) queueMicrotask(() => events.onClose('it ended with exit code 3'));
        else queueMicrotask(() => answer(id, resultOf(method, what)));
      },
      async sendOther() {},
      ready() {},
      forget() {},
      async close(purpose: ClosePurpose) {
        if (fixture.lingers) await new Promise<void>((resolve) => leaving.add(resolve));
        if (isOnData) onData--;
        steps.push(`close ${what} ${purpose}`);
      },
    };
  };
  const upstreams = createUpstreams({
    secrets: readOnlySecrets(new Map()),
    openers: { stdio: open, streamable_http: open, sse: open, container: open },
    log,
    drainMs,
    onTools: (_config, tools) => void listed.push(tools.map(({ name }) => name)),
    onStatus() {},
  });
  const fixture: ContainerFixture & { mostOnData: number } = {
    ...{ upstreams, steps, listed, logged, mostOnData: 0, lingers: false },
    release() {
      for (const leave of leaving) leave();
      leaving.clear();
    },
    answerAll() {
      for (const answer of held) answer();
      held.clear();
    },
    install: (first, fields) => upstreams.install(keepingConfig(first, fields)),
    tryOut: (first, fields) => upstreams.prepare({ ...keepingConfig(first, fields), isTryOut: true }),
    call: (more) =>
      upstreams.request({
        ...{ server: 'keeps', sessionId: 's', method: 'tools/call', params: () => '{}' },
        signal: new AbortController().signal,
        ...more,
      }),
    async close() {
      fixture.lingers = false;
      fixture.release();
      await upstreams.close();
    },
  };
  return fixture;
}

function resultOf(method: string, what: string): string {
  if (method === 'initialize') return '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}';
  if (method === 'tools/list')
    return `{"tools":[{"name":"tool of ${what}","inputSchema":{"type":"object"}}]}`;
  return `"${what}"`;
}
