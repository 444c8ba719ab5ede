import type { ManagerContext } from '../../../../handlers/manager/context.ts';
import { managerRoutes } from '../../../../handlers/manager/routes.ts';
import { serveManager } from '../../../../handlers/manager/serve-manager.ts';
import { stillStarting } from '../../../../lib/failure.ts';
import type { Definition } from '../../../../lib/groups/definitions/approval-rows.ts';
import type { Approvals } from '../../../../lib/groups/definitions/approvals.ts';
import { createMetrics } from '../../../../lib/observe/node-metrics.ts';
import { createTries } from '../../../../lib/tries/tries.ts';
import { assertAnswer, mediaTypeOf } from '../../../support/api-document.ts';
import { createManagerContext } from '../../../support/manager-context.ts';
import { createMemoryCatalog } from '../../../support/memory-catalog.ts';
import { createMemoryOffers } from '../../../support/memory-offers.ts';
import { createRecordingLog } from '../../../support/recording-log.ts';
import { createScriptedUpstreams } from '../../../support/scripted-upstreams.ts';
import { createGroupFolder } from '../../groups/group-folder.ts';

/**
 * The manager's routes over real group files, a catalog in memory, acceptance in memory and servers that do what the test
 * says.
 */
export async function createManagerFixture() {
  const folder = await createGroupFolder();
  const { groups, bus } = await folder.open();
  const catalog = createMemoryCatalog(bus);
  const features = createMemoryOffers(bus);
  const formerServers = { serverOf: () => undefined };
  const approvals = createMemoryAcceptance();
  let folderProblem: string | undefined;
  const registry = { folderProblem: () => folderProblem };
  const upstreams = createScriptedUpstreams();
  const { log, logged } = createRecordingLog();
  const metrics = createMetrics({ sessions: () => 0, streams: () => 0, callsInFlight: () => 0 });
  bus.subscribe(({ type, name }) => {
    if (type === 'session_closed') upstreams.endSession(name);
  });
  let ids = 0;
  const tries = createTries({
    ...{ groups, catalog, approvals, upstreams, metrics, bus, log },
    ...{ notLoaded: stillStarting, defaultGroup: 'default', newId: () => `${++ids}`, now: () => 0 },
  });
  const known = { groups, catalog, features, formerServers, approvals, registry };
  const rights = { mayTry: true };
  const context: ManagerContext = {
    ...createManagerContext({ ...known, service: { defaultGroup: 'default' }, bus, tries }),
    get mayTry() {
      return rights.mayTry;
    },
  };
  const serve = serveManager(managerRoutes(), context);

  async function call(line: string, body?: unknown, headers: Record<string, string> = {}) {
    const [method = '', path = ''] = line.split(' ');
    const request = new Request(`http://127.0.0.1:3701${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const response = await serve(request);
    const text = await response.text();
    assertAnswer({ method, path, status: response.status, mediaType: mediaTypeOf(response.headers), text });
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  }

  return {
    ...{ folder, groups, catalog, features, approvals, context, call, close: folder.close },
    ...{ upstreams, metrics, logged, rights, serve },
    /** Of the folder of config files. */
    setFolderProblem(problem: string) {
      folderProblem = problem;
    },
  };
}

export type ManagerFixture = Awaited<ReturnType<typeof createManagerFixture>>;

function createMemoryAcceptance(): Approvals {
  const accepted = new Map<string, Map<string, Definition>>();
  const of = (group: string) => accepted.get(group) ?? new Map<string, Definition>();
  return {
    approved: (group) => new Map(Array.from(of(group), ([tool, { hash }]) => [tool, hash])),
    async approve(group, tools) {
      const fresh = [...tools].filter(([tool, { hash }]) => of(group).get(tool)?.hash !== hash);
      accepted.set(group, new Map([...of(group), ...fresh]));
    },
    async copy(from, to) {
      accepted.set(to, new Map(of(from)));
    },
    async find(group, tool) {
      const found = of(group).get(tool);
      return found && { ...found, approvedAt: new Date(0) };
    },
  };
}
