/** `POST /api/servers/provision`, plain and streamed, as scripts and the dashboard call it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContainerServices } from './container-services.ts';
import { tablesOf } from './leak-places.ts';
import type { RunningService } from './run-service.ts';

export interface ProvisionBody {
  readonly name: string;
  readonly image: string;
  readonly [field: string]: unknown;
}

export interface ProvisionAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly body: any;
  readonly ms: number;
}

export async function provision(service: RunningService, body: ProvisionBody): Promise<ProvisionAnswer> {
  const startedAt = performance.now();
  const answer = await send(service, body, {});
  return { status: answer.status, body: await answer.json(), ms: performance.now() - startedAt };
}

/** A registration over the API: the same road for a config with an image, but with time-outs of its own. */
export async function register(service: RunningService, body: ProvisionBody): Promise<ProvisionAnswer> {
  const startedAt = performance.now();
  const answer = await send(service, { transport: 'stdio', ...body }, {}, '/api/servers');
  return { status: answer.status, body: await answer.json(), ms: performance.now() - startedAt };
}

export interface ProvisionEvent {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of any shape
  readonly data: any;
}

/** Calls `onEvent` for each event as it comes; whatever that throws, or a service that dies, ends it. */
export async function provisionStreamed(
  service: RunningService,
  body: ProvisionBody,
  onEvent: (event: ProvisionEvent) => void = () => {},
  signal?: AbortSignal,
): Promise<ProvisionEvent[]> {
  const answer = await send(service, body, { accept: 'text/event-stream' }, undefined, signal);
  const events: ProvisionEvent[] = [];
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString();
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const [, type = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(part) ?? [];
      if (type === '') continue;
      events.push({ type, data: JSON.parse(data) });
      onEvent({ type, data: JSON.parse(data) });
    }
  }
  return events;
}

function send(
  { managerUrl }: RunningService,
  body: object,
  headers: Record<string, string>,
  path = '/api/servers/provision',
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${managerUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
}

/** Where anything of this server is left: the engine, the folder, the secrets, the database, the answers. */
export async function leftoversOf(
  services: ContainerServices,
  service: RunningService,
  server: string,
): Promise<string[]> {
  const left = (await services.containersOf(server)).map(({ name, state }) => `container ${name} ${state}`);
  for (const volume of await services.volumesOf(server)) left.push(`volume ${volume}`);
  if (existsSync(join(service.configsDir, `${server}.json`))) left.push('config file');
  const secretsFile = join(service.dataDir, 'secrets.env');
  const prefix = `${server.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}__`;
  if (existsSync(secretsFile) && readFileSync(secretsFile, 'utf8').includes(prefix)) left.push('secret');
  for (const path of ['/api/servers', '/api/tools', '/api/servers/secrets-status']) {
    const text = await (await fetch(`${service.managerUrl}${path}`)).text();
    if (text.includes(server)) left.push(path);
  }
  if (service.databaseUrl !== undefined) {
    for (const [table, rows] of await tablesOf(service.databaseUrl)) {
      if (rows.includes(server) || rows.includes(prefix)) left.push(table);
    }
  }
  return left;
}
