/** The manager's API, as scripts use it: every call checks that it was answered well, and returns the body. */
import type { RunningService } from './run-service.ts';

type Service = Pick<RunningService, 'managerUrl'>;
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
type Body = any;

export async function manage(service: Service, method: string, path: string, body?: unknown): Promise<Body> {
  const answer = await fetch(`${service.managerUrl}${path}`, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

/** Switches a tool to `enabled`; resolves when that is durable. */
export function switchTool(service: Service, group: string, tool: string, enabled: boolean): Promise<Body> {
  return manage(service, 'POST', '/api/tools/toggle', { tool, enabled, group });
}

export function replaceTools(service: Service, group: string, tools: readonly string[]): Promise<Body> {
  return manage(service, 'PUT', `/api/groups/${group}/tools`, { tools });
}

export async function readServer(service: Service, name: string): Promise<Body> {
  const { servers } = await manage(service, 'GET', '/api/servers');
  return servers.find((server: { name: string }) => server.name === name);
}

/** Full names of the tools that a server offers; those that only a group still names are not among them. */
export async function toolsOf(service: Service, server: string): Promise<string[]> {
  const { servers } = await manage(service, 'GET', '/api/tools');
  const listed: { name: string; state: string }[] = servers[server] ?? [];
  return listed.filter(({ state }) => state !== 'missing').map(({ name }) => name);
}
