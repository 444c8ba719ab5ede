/**
 * What the cases take for granted: a running service with a real MCP server, one of its tools in `{group}`,
 * another group with a session that must go on working, and an engine that is watched, or none.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { openSession, type PlainSession } from '../support/mcp-client.ts';
import { type RunningService, type RunServiceOptions, runService } from '../support/run-service.ts';
import { projectDir } from '../support/service-command.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Placeholders } from './case.ts';
import type { CaseEngine } from './engine.ts';

const group = 'svc-global';
const otherGroup = 'other';
const server = 'everything';
const tool = `${server}__echo`;

export interface World {
  readonly service: RunningService;
  readonly groupFile: string;
  readonly machinePaths: readonly string[];
  /** Placeholder values, with a fresh session where the case asks for one. */
  placeholders(caseText: string): Promise<Placeholders>;
  /** The bytes of the group's file. */
  groupText(): string;
  /** Puts the group's file back as it was, and waits until that is seen. */
  restoreGroup(): Promise<void>;
  /** Requests so far that would change something at the engine; undefined without one. */
  engineChanges(): number | undefined;
  /** Whether the open session of the other group still lists its tools. */
  othersAreServed(): Promise<boolean>;
  remove(): Promise<void>;
}

export async function createWorld(
  options: RunServiceOptions & { readonly engine?: CaseEngine | undefined } = {},
): Promise<World> {
  const { engine } = options;
  const service = await runService({
    ...options,
    groups: { [group]: groupOf(group), [otherGroup]: groupOf(otherGroup) },
    configs: { [server]: everything() },
    env: {
      ALLOWED_IMAGES: 'mcp/*',
      DOCKER_HOST: engine?.host ?? `unix://${join(projectDir, 'no-such-engine.sock')}`,
      LOG_LEVEL: 'debug',
      ...options.env,
    },
  });
  await waitUntil('the tools are listed', async () => (await listTools(service)).includes(tool), {
    limitMs: 20_000,
  });
  const hiddenTool = (await listTools(service)).find((name) => name !== tool) ?? `${server}__none`;
  const groupFile = join(service.groupsDir, `${group}.json`);
  const original = readFileSync(groupFile, 'utf8');
  const taken = await listenSomewhere();
  const witness = await openSession(service.groupUrl(otherGroup));
  const fixed = {
    group,
    otherGroup,
    server,
    tool,
    hiddenTool,
    dir: service.dir,
    takenPort: String(taken.port),
    notMcpImage: 'mcp/not-mcp:1',
  };
  return {
    service,
    groupFile,
    machinePaths: [projectDir, service.dir],
    placeholders: (caseText) => sessionsFor(caseText, service, fixed),
    groupText: () => readFileSync(groupFile, 'utf8'),
    restoreGroup: () => restore(service, groupFile, original),
    engineChanges: () => engine?.changes(),
    othersAreServed: () => isServed(witness),
    async remove() {
      if (engine) await removeContainers(service);
      taken.close();
      await service.remove();
    },
  };
}

/** They outlive their service. */
async function removeContainers({ managerUrl }: RunningService): Promise<void> {
  const { servers } = (await (await fetch(`${managerUrl}/api/servers`)).json()) as {
    servers: { name: string; image?: string }[];
  };
  for (const { name, image } of servers) {
    if (image !== undefined) await fetch(`${managerUrl}/api/servers/${name}`, { method: 'DELETE' });
  }
}

function groupOf(name: string) {
  return { name, description: '', included_tools: [tool] };
}

function everything() {
  return {
    name: server,
    transport: 'stdio',
    description: '',
    command: process.execPath,
    args: ['node_modules/@modelcontextprotocol/server-everything/dist/index.js', 'stdio'],
  };
}

async function listTools(service: RunningService): Promise<string[]> {
  const tools = (await (await fetch(`${service.gatewayUrl}/api/v0/tools`)).json()) as { name: string }[];
  return tools.map(({ name }) => name);
}

async function sessionsFor(caseText: string, service: RunningService, fixed: Placeholders) {
  const made: Record<string, string> = { ...fixed };
  const open = () => openSession(service.groupUrl(group));
  if (caseText.includes('{session}')) made.session = (await open()).id;
  if (caseText.includes('{deletedSession}')) {
    const session = await open();
    await session.delete();
    made.deletedSession = session.id;
  }
  if (caseText.includes('{expiredSession}')) {
    made.expiredSession = (await open()).id;
    await new Promise((resolve) => setTimeout(resolve, 3_000));
  }
  return made;
}

async function restore(service: RunningService, groupFile: string, original: string): Promise<void> {
  try {
    if (readFileSync(groupFile, 'utf8') === original) return;
  } catch {
    // Unlinked or made unreadable by the case: written anew below.
  }
  writeFileSync(groupFile, original);
  await waitUntil('the group is as before', async () => {
    const answer = await fetch(`${service.managerUrl}/api/current`);
    return answer.ok && (await answer.text()).includes(`"${tool}"`);
  });
}

async function isServed(witness: PlainSession): Promise<boolean> {
  const { body } = await witness.request('tools/list');
  return body?.result?.tools?.length === 1;
}

function listenSomewhere(): Promise<{ port: number; close(): void }> {
  return new Promise((resolve) => {
    const listener = createServer().listen(0, '127.0.0.1', () => {
      const address = listener.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      resolve({ port, close: () => void listener.close() });
    });
  });
}
