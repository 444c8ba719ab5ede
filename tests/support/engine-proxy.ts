/** A socket in front of the engine that can be cut, and that keeps the addresses of the requests it passed on. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface EngineProxy {
  /** For `dockerHost`. */
  readonly host: string;
  /** `METHOD /path?query` of every request. */
  readonly requests: readonly string[];
  /** As if the engine went away: connections break and none can be made. */
  cut(): Promise<void>;
  /** Connections stay and new ones are taken, but nothing is passed on. */
  hang(): void;
  /**
   * The next request whose `METHOD /path?query` matches, or the `nth` such, is not passed on, nor is anything after it on
   * its connection. Resolves once it has come; from then on the proxy is as before.
   */
  holdNext(request: RegExp, nth?: number): Promise<void>;
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function startEngineProxy(): Promise<EngineProxy> {
  const directory = mkdtempSync(join(tmpdir(), 'svc-engine-proxy-'));
  const path = join(directory, 'engine.sock');
  const requests: string[] = [];
  const open = new Set<Socket>();
  let hangs = false;
  let hold: { readonly request: RegExp; left: number; readonly reached: () => void } | undefined;
  const held = new Set<Socket>();

  function isToBeHeld(chunk: Buffer): boolean {
    if (hold === undefined || !headsOf(chunk).some((head) => hold?.request.test(head))) return false;
    hold.left -= 1;
    if (hold.left > 0) return false;
    hold.reached();
    hold = undefined;
    return true;
  }

  const server = createServer((client) => {
    const engine = connect('/var/run/docker.sock');
    for (const [from, to] of [
      [client, engine],
      [engine, client],
    ] as const) {
      open.add(from);
      from.on('data', (chunk) => {
        if (from === client && isToBeHeld(chunk)) held.add(client);
        if (!hangs && !held.has(from)) to.write(chunk);
      });
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
    client.on('data', (chunk) => requests.push(...headsOf(chunk)));
  });
  const listen = () => new Promise<void>((resolve) => server.listen(path, resolve));
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of open) socket.destroy();
    });
  await listen();
  return {
    host: `unix://${path}`,
    requests,
    cut,
    hang() {
      hangs = true;
    },
    holdNext: (request, nth = 1) =>
      new Promise((reached) => {
        hold = { request, left: nth, reached };
      }),
    async restore() {
      hangs = false;
      if (!server.listening) await listen();
    },
    async close() {
      if (server.listening) await cut();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function headsOf(chunk: Buffer): string[] {
  const heads = chunk.toString('latin1').matchAll(/(?:GET|POST|DELETE|HEAD) \/\S* (?=HTTP\/1\.1)/g);
  return [...heads].map(([head]) => head);
}
