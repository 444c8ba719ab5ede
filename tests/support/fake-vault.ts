/**
 * A server that answers as HashiCorp Vault and OpenBao document their HTTP API: one KV version 2 store at `secret/`,
 * health and seal status, the calling token's lookup and renewal, and refusals in Vault's own bodies. Faults are
 * switched on by hand. Written from the public API documentation; it is no Vault.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFakeVaultStore, type FakeVaultStore, type VaultReply } from './fake-vault-store.ts';
import { type Capability, createFakeVaultTokens, type FakeVaultTokens } from './fake-vault-tokens.ts';

export interface FakeVault {
  readonly address: string;
  readonly tokens: FakeVaultTokens;
  /** Behind the API's back, as another client or an operator would change it. */
  readonly store: FakeVaultStore;
  /** `METHOD /path?query` of every request so far. */
  readonly requested: readonly string[];
  /** What happens to requests from now on; `undefined` is a healthy, active node. */
  mode: 'sealed' | 'uninitialized' | 'standby' | 'silent' | 'no_json' | 'redirecting' | 'busy' | undefined;
  /** Runs just before each write is looked at, to come in between somebody's read and write. */
  beforeWrite: (() => void) | undefined;
  stop(): Promise<void>;
  /** On the same port. */
  start(): Promise<void>;
}

const mount = 'secret';

export async function startFakeVault(): Promise<FakeVault> {
  const store = createFakeVaultStore();
  const tokens = createFakeVaultTokens();
  const requested: string[] = [];
  const server = createServer((request, response) => void respond(request, response));
  let port = 0;
  const start = async () => {
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  };
  await start();
  const vault: FakeVault = {
    address: `http://127.0.0.1:${port}`,
    ...{ tokens, store, requested, start },
    mode: undefined,
    beforeWrite: undefined,
    stop() {
      const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return stopped;
    },
  };
  return vault;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    requested.push(`${method} ${url}`);
    const body = await bodyOf(request);
    if (vault.mode === 'silent') return;
    if (vault.mode === 'no_json') return void response.writeHead(502).end('<h1>Bad gateway</h1>');
    if (vault.mode === 'redirecting') {
      return void response.writeHead(307, { location: `http://localhost:${port}${url}` }).end();
    }
    send(
      response,
      answerTo(method, new URL(url, vault.address), String(request.headers['x-vault-token']), body),
    );
  }

  function answerTo(method: string, url: URL, token: string, body: unknown): VaultReply {
    const path = url.pathname.replace(/^\/v1\//, '');
    if (path === 'sys/health') return health(vault.mode);
    if (vault.mode === 'sealed' || vault.mode === 'uninitialized') {
      return { status: 503, errors: ['Vault is sealed'] };
    }
    if (vault.mode === 'busy')
      return { status: 429, errors: ['request path "secret": rate limit quota exceeded'] };
    if (!tokens.isValid(token)) {
      return { status: 403, errors: ['2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n'] };
    }
    if (path === 'auth/token/lookup-self') return tokens.lookupSelf(token);
    if (path === 'auth/token/renew-self') return tokens.renewSelf(token);
    if (!tokens.mayDo(token, capabilityFor(method, path), path)) {
      return { status: 403, errors: ['1 error occurred:\n\t* permission denied\n\n'] };
    }
    if (!path.startsWith(`${mount}/`)) {
      return { status: 404, errors: [`no handler for route "${path}". route entry not found.`] };
    }
    return answerOfStore(method, path.slice(mount.length + 1), url.searchParams, body);
  }

  function capabilityFor(method: string, path: string): Capability {
    if (method === 'LIST') return 'list';
    if (method === 'DELETE') return 'delete';
    if (method === 'GET') return 'read';
    const isThere = store.readMetadata(path.replace(/^\w+\/\w+\//, '')).status === 200;
    return isThere ? 'update' : 'create';
  }

  function answerOfStore(method: string, path: string, query: URLSearchParams, body: unknown): VaultReply {
    const [, room = '', name = ''] = path.match(/^(\w+)\/?(.*)$/) ?? [];
    const { versions = [] } = (body ?? {}) as { versions?: number[] };
    if (room === 'data' && (method === 'POST' || method === 'PUT')) {
      vault.beforeWrite?.();
      return store.writeData(name, body);
    }
    if (room === 'data' && method === 'GET') return store.readData(name, Number(query.get('version')));
    if (room === 'data' && method === 'DELETE') return store.deleteNewest(name);
    if (room === 'metadata' && method === 'GET') return store.readMetadata(name);
    if (room === 'metadata' && method === 'LIST') return store.list(name);
    if (room === 'metadata' && method === 'DELETE') return store.deleteMetadata(name);
    if (room === 'delete' || room === 'undelete' || room === 'destroy')
      return store.change(room, name, versions);
    return { status: 405, errors: ['1 error occurred:\n\t* unsupported operation\n\n'] };
  }
}

function health(mode: FakeVault['mode']): VaultReply {
  const statuses = { sealed: 503, uninitialized: 501, standby: 429 } as const;
  const status = statuses[mode as keyof typeof statuses] ?? 200;
  const facts = { initialized: mode !== 'uninitialized', sealed: status > 500, standby: mode === 'standby' };
  return { status, data: facts };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? undefined : JSON.parse(text);
}

function send(response: ServerResponse, { status, ...reply }: VaultReply): void {
  if (status === 204) return void response.writeHead(204).end();
  const envelope = { request_id: 'fake', lease_id: '', renewable: false, lease_duration: 0, warnings: null };
  const body = reply.errors ? reply : { ...envelope, data: null, auth: null, ...reply };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
