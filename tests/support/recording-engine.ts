/**
 * A socket in front of the real engine that passes everything on and keeps the addresses of all requests, and what the
 * engine tells anybody about the containers made through it. Needs the test bed's engine and registry.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface RecordingEngine {
  /** For `DOCKER_HOST`. */
  readonly host: string;
  /** `METHOD /path?query` of every request. */
  readonly requested: readonly string[];
  /** Names of the containers that carry `word` in their own, running or not. */
  containersNamed(word: string): Promise<string[]>;
  /** All labels, commands and events of such containers; their environment, which only the engine holds, left out. */
  toldAbout(word: string): Promise<string>;
  /** Ends it and removes the networks that were made through it; they outlive the service that made them. */
  stop(): Promise<void>;
}

const engineSocket = (process.env.DOCKER_HOST ?? '').replace(/^unix:\/\//, '') || '/var/run/docker.sock';
const registry = `127.0.0.1:${process.env.TESTBED_PORT ?? 5555}`;

/** `everything` or another image of the test bed. */
export const testImage = (name: string): string => `${registry}/mcp/${name}:1`;

/** Undefined, after one line that says why, where there is no engine or no registry. */
export async function startRecordingEngine(): Promise<RecordingEngine | undefined> {
  const problem = await ask('/_ping').then(
    () =>
      fetch(`http://${registry}/v2/`).then(
        () => undefined,
        () => 'the test bed’s registry does not answer',
      ),
    () => 'there is no container engine',
  );
  if (problem) {
    console.error(`containers: skipped, ${problem}`);
    return undefined;
  }
  const startedAt = Math.floor(Date.now() / 1000);
  const directory = mkdtempSync(join(tmpdir(), 'svc-engine-'));
  const requested: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const engine = connect(engineSocket);
    for (const [one, other] of [
      [client, engine],
      [engine, client],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy()).on('close', () => open.delete(one));
    }
    client.on('data', (chunk) => {
      const heads = chunk.toString('latin1').matchAll(/(?:GET|POST|PUT|DELETE|HEAD) \/\S* (?=HTTP\/1\.1)/g);
      requested.push(...[...heads].map(([head]) => head));
    });
  });
  const path = join(directory, 'engine.sock');
  await new Promise<void>((resolve) => server.listen(path, resolve));

  return {
    host: `unix://${path}`,
    requested,
    containersNamed: async (word) => (await listed(word)).map(({ Names }) => String(Names[0]).slice(1)),
    async toldAbout(word) {
      const inspected = await Promise.all(
        (await listed(word)).map(({ Id }) => ask(`/containers/${Id}/json`)),
      );
      const until = Math.floor(Date.now() / 1000) + 1;
      const events = await ask(`/events?since=${startedAt}&until=${until}`);
      const withoutEnv = inspected.map((text) => {
        const { Config, ...facts } = JSON.parse(text);
        return JSON.stringify({ ...facts, Config: { ...Config, Env: undefined } });
      });
      return [...withoutEnv, events].join('\n');
    },
    async stop() {
      server.close();
      for (const socket of open) socket.destroy();
      rmSync(directory, { recursive: true, force: true });
      const networks = requested.flatMap((head) => head.match(/\/networks\S*?(svc-mcp-\w+)/)?.[1] ?? []);
      for (const name of new Set(networks)) await ask(`/networks/${name}`, 'DELETE');
    },
  };
}

async function listed(word: string): Promise<{ readonly Id: string; readonly Names: readonly string[] }[]> {
  const filters = encodeURIComponent(JSON.stringify({ name: [word] }));
  return JSON.parse(await ask(`/containers/json?all=1&filters=${filters}`));
}

/** One request to the engine itself. */
function ask(path: string, method = 'GET'): Promise<string> {
  return new Promise((resolve, reject) => {
    const asking = request({ socketPath: engineSocket, path, method }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve(Buffer.concat(chunks).toString());
    });
    asking.on('error', reject).end();
  });
}
