import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AskText } from '../../../lib/cli/cli.ts';
import { main } from '../../../lib/cli/main.ts';

/** What the stub got, and what a test lets it answer. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface StubAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A service that answers what a test says, on an admin socket and on a port, with a folder of its own: the
 * command line is tested against what travels, not against the real service (that is the contract tests' part).
 */
export async function startStubService() {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-cli-'));
  const seen: SeenRequest[] = [];
  const stub = {
    directory,
    seen,
    answer: (_: SeenRequest): StubAnswer => ({ body: { success: true } }),
    url: '',
    /** @param ask The person at a terminal. */
    async run(
      args: readonly string[],
      environment: Record<string, string> = {},
      ask?: (question: string) => Promise<boolean>,
      askText?: AskText,
    ): Promise<CommandResult> {
      let stdout = '';
      let stderr = '';
      const code = await main(args, {
        environment: { DATA_DIR: directory, ...environment },
        directory,
        command: 'npx svc-mcp',
        startCommand: 'npm start',
        version: '1.2.3',
        ...(ask === undefined ? {} : { ask }),
        ...(askText === undefined ? {} : { askText }),
        stdout: (text) => {
          stdout += text;
        },
        stderr: (text) => {
          stderr += text;
        },
      });
      return { code, stdout, stderr };
    },
    async file(name: string, content: unknown): Promise<string> {
      const path = join(directory, name);
      await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
      return path;
    },
    reset(): void {
      seen.length = 0;
      stub.answer = () => ({ body: { success: true } });
    },
    async close(): Promise<void> {
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      await rm(directory, { recursive: true, force: true });
    },
  };
  const handle = async (request: IncomingMessage): Promise<StubAnswer> => {
    const body = await readText(request);
    const { method = '', url: path = '', headers } = request;
    const wanted = { method, path, headers, body };
    seen.push(wanted);
    return stub.answer(wanted);
  };
  const servers = [createStub(handle), createStub(handle)] as const;
  await listen(servers[0], join(directory, 'admin.sock'));
  await listen(servers[1], 0);
  stub.url = `http://127.0.0.1:${(servers[1].address() as AddressInfo).port}`;
  return stub;
}

export type StubService = Awaited<ReturnType<typeof startStubService>>;

function createStub(handle: (request: IncomingMessage) => Promise<StubAnswer>): Server {
  return createServer(async (request, response) => {
    const { status = 200, headers, body } = await handle(request);
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

function listen(server: Server, where: string | number): Promise<void> {
  return new Promise((resolve) => {
    if (typeof where === 'string') server.listen(where, resolve);
    else server.listen(where, '127.0.0.1', resolve);
  });
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
