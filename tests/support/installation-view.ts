/**
 * What people and agents see of an installation: recorded of the version that made one (`scripts/make-installation.ts`),
 * and compared with what a later version shows of it. Only what must outlast an upgrade is looked at.
 */
import { manage } from './manager-api.ts';
import { postJson, type RpcAnswer } from './mcp-client.ts';
import type { RunningService } from './run-service.ts';

export interface OpenSession {
  readonly id: string;
  readonly group: string;
  readonly protocolVersion: string;
}

/** By a word that says what is special about it. */
export type OpenSessions = Readonly<Record<string, OpenSession>>;

export interface InstallationView {
  readonly servers: readonly unknown[];
  readonly groups: Readonly<Record<string, GroupView>>;
  /** By session: the results of its lists, as they came. */
  readonly sessions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface GroupView {
  readonly tools: unknown;
  /** By server and in order: name, state, whether it is in the group, and what agents call it. */
  readonly listed: Readonly<Record<string, readonly unknown[]>>;
}

/** What a client kept when its connection broke, and what it is owed. */
export interface BrokenStream {
  readonly session: string;
  readonly lastEventId: string;
  /** The messages after that one. */
  readonly rest: readonly unknown[];
}

/** `expected.json` of a fixture. */
export interface Expected {
  /** By Postgres's clock, ISO 8601; every time in the installation is before it. */
  readonly stoppedAt: string;
  /** Where the HTTP servers were; stands in configs and rows. */
  readonly notesAddress: string;
  /** The embedded database's; its folder can be read by no other. */
  readonly postgresMajor: string;
  /** Times at which the group files were last written, ISO 8601: what came later is `new`. */
  readonly groupsWrittenAt: Readonly<Record<string, string>>;
  readonly sessions: OpenSessions;
  readonly streams: readonly BrokenStream[];
  readonly view: InstallationView;
}

/** Where people and agents reach it, which may be two processes. */
export type ServiceAddresses = Pick<RunningService, 'managerUrl' | 'groupUrl'>;

const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];

/** Sends one request on a session that is open already. */
export function request(
  service: Pick<ServiceAddresses, 'groupUrl'>,
  session: OpenSession,
  method: string,
  params: unknown = {},
): Promise<RpcAnswer> {
  return postJson(
    service.groupUrl(session.group),
    { jsonrpc: '2.0', id: 1, method, params },
    headersOf(session),
  );
}

export function headersOf({ id, protocolVersion }: OpenSession): Record<string, string> {
  return { 'mcp-session-id': id, 'mcp-protocol-version': protocolVersion };
}

export async function readView(service: ServiceAddresses, sessions: OpenSessions): Promise<InstallationView> {
  const { servers } = await manage(service, 'GET', '/api/servers');
  const { groups } = await manage(service, 'GET', '/api/groups');
  return {
    servers: servers.map(lasting),
    groups: Object.fromEntries(
      await Promise.all(groups.map(async (name: string) => [name, await readGroup(service, name)])),
    ),
    sessions: Object.fromEntries(
      await Promise.all(
        Object.entries(sessions).map(async ([label, session]) => [label, await readLists(service, session)]),
      ),
    ),
  };
}

/** Without what a start changes: whether it runs, counts, times. */
function lasting(server: Record<string, unknown>) {
  const { name, description, transport, image, url, command_line, tool_count, problem } = server;
  return { name, description, transport, image, url, command_line, tool_count, problem };
}

async function readGroup(service: ServiceAddresses, name: string): Promise<GroupView> {
  const { tools } = await manage(service, 'GET', `/api/groups/${name}/tools`);
  const { servers } = await manage(service, 'GET', `/api/tools?group=${name}`);
  const listed = Object.entries(servers as Record<string, Record<string, unknown>[]>).map(([server, all]) => [
    server,
    all.map(({ name: tool, state, enabled, exposed_name }) => ({ name: tool, state, enabled, exposed_name })),
  ]);
  return { tools, listed: Object.fromEntries(listed) };
}

async function readLists(service: ServiceAddresses, session: OpenSession): Promise<Record<string, unknown>> {
  const results: [string, unknown][] = [];
  for (const method of lists) {
    const { status, body } = await request(service, session, method);
    results.push([method, body?.result ?? { status, error: body?.error }]);
  }
  return Object.fromEntries(results);
}
