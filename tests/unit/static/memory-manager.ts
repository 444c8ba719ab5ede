import type { ListedGroupTool } from '../../../lib/groups/listed-tool.ts';
import { ApiFailure } from '../../../static/lib/api.js';

type Api = import('../../../static/lib/api.js').Api;
type ManagerCall = import('../../../static/lib/api.js').ManagerCall;
type Asked<Name extends ManagerCall> = import('../../../static/lib/api.js').Asked<Name>;
type AnswerOf<Name extends ManagerCall> = import('../../../static/lib/api.js').AnswerOf<Name>;

type Answers = {
  [Name in ManagerCall]?: (asked: Asked<Name>) => AnswerOf<Name> | Promise<AnswerOf<Name>>;
};

const server: AnswerOf<'GET /api/servers'>['servers'][number] = {
  ...{ name: 's', description: '', running: true, status: 'connected' },
  ...{ tool_count: 4, calls: 0, errors: 0, in_flight: 0 },
};

/**
 * A manager API that knows one or more groups of tools `a`, `b`, `c`, `d`: enough of it to save against. As the real
 * one it lists what a group has and nobody offers as missing, and refuses to add such a tool.
 */
export function createMemoryManager(groups: Record<string, string[]>) {
  const versions = new Map(Object.entries(groups).map(([name, tools]) => [name, { tools, etag: 1 }]));
  const offered = new Set(['a', 'b', 'c', 'd']);
  const calls: string[] = [];
  const definitions = new Map<string, { definition_hash?: string; approved_hash?: string }>();
  const sentHashes: unknown[] = [];
  let slowMs = 0;
  let writeMs = 0;
  let failure: ApiFailure | undefined;

  function read(group: string) {
    const version = versions.get(group);
    if (version === undefined) throw new ApiFailure({ code: 'group_not_found', message: 'No such group.' });
    return version;
  }

  function write(group: string, tools: string[]) {
    versions.set(group, { tools, etag: (versions.get(group)?.etag ?? 0) + 1 });
    return { tools, etag: String(versions.get(group)?.etag) };
  }

  const answers: Answers = {
    'GET /api/groups': () => ({ groups: [...versions.keys()], default: 'main', gateway_url: '' }),
    'GET /api/servers': () => ({ servers: [server] }),
    'GET /api/tools': ({ query }) => {
      const group = query?.group ?? 'main';
      return { group, servers: { s: toolsFor(read(group).tools) } };
    },
    'GET /api/current': ({ query }) => {
      const group = query?.group ?? 'main';
      return { group, ...shown(read(group)), description: '' };
    },
    'PUT /api/groups/{name}/tools': async ({ path, body, headers }) => {
      const { tools, definition_hashes } = bodyOf(body);
      sentHashes.push(definition_hashes);
      await pass(writeMs);
      assertWell();
      const group = path?.name ?? '';
      assertVersion(group, headers);
      assertOffered(tools, read(group).tools);
      return { message: '', group, ...write(group, [...tools]) };
    },
    'POST /api/groups/{name}': ({ path, body }) => {
      assertWell();
      const { tools = [], definition_hashes } = bodyOf(body);
      sentHashes.push(definition_hashes);
      assertOffered(tools);
      const name = path?.name ?? '';
      return { message: '', ...saved(name, write(name, [...tools])) };
    },
    'POST /api/groups/{name}/rename': async ({ path, body, headers }) => {
      assertWell();
      const group = path?.name ?? '';
      const { name } = bodyOf(body);
      const { tools } = read(group);
      assertVersion(group, headers);
      versions.delete(group);
      await pass(writeMs);
      return { message: '', ...saved(name, write(name, tools)) };
    },
    'DELETE /api/groups/{name}': async ({ path }) => {
      assertWell();
      const group = path?.name ?? '';
      versions.delete(group);
      await pass(slowMs * 3);
      return { message: '', group };
    },
  };

  async function call<Name extends ManagerCall>(name: Name, asked: Asked<Name> = {}) {
    calls.push(addressed(name, asked));
    const answerTo = answers[name];
    if (answerTo === undefined) throw new ApiFailure({ code: 'not_found', message: `No ${name} here.` });
    const answer = await answerTo(asked);
    if (name.startsWith('GET')) await pass(slowMs);
    assertWell();
    return answer;
  }

  function assertWell() {
    if (failure) throw failure;
  }

  function toolsFor(members: readonly string[]): ListedGroupTool[] {
    return [...new Set([...offered, ...members])].map((name) => ({
      ...{ name, description: '', input_schema: {}, token_estimate: 1, enabled: members.includes(name) },
      state: offered.has(name) ? 'present' : 'missing',
      ...definitions.get(name),
    }));
  }

  function assertOffered(tools: readonly string[], members: readonly string[] = []) {
    const unknown = tools.find((name) => !offered.has(name) && !members.includes(name));
    if (unknown === undefined) return;
    throw new ApiFailure({ code: 'tool_not_found', message: `Nobody offers ${unknown}.`, status: 404 });
  }

  function assertVersion(group: string, headers: Record<string, string> = {}) {
    const etag = headers['If-Match'];
    if (etag === undefined || etag === String(read(group).etag)) return;
    throw new ApiFailure({ code: 'group_changed', message: 'The group changed.', status: 409 });
  }

  return {
    api: { call, stream: async () => {} } satisfies Api,
    calls,
    /** `definition_hashes` of each list that was sent. */
    sentHashes,
    /** From now on this tool is listed with these. */
    define: (tool: string, definition_hash: string, approved_hash?: string) =>
      definitions.set(tool, { definition_hash, ...(approved_hash && { approved_hash }) }),
    /** What is fetched is looked up at once and arrives so much later. */
    slowDown: (ms: number) => {
      slowMs = ms;
    },
    /** What is sent to be written arrives so much later. */
    slowDownWrites: (ms: number) => {
      writeMs = ms;
    },
    /** As somebody else would. */
    write,
    remove: (group: string) => versions.delete(group),
    /** As when its server is deleted. */
    withdraw: (tool: string) => offered.delete(tool),
    toolsOf: (group: string) => read(group).tools,
    failWith: (code?: string, details?: Record<string, unknown>) => {
      failure = code === undefined ? undefined : new ApiFailure({ code, message: 'It went wrong.', details });
    },
  };
}

function shown({ tools, etag }: { tools: string[]; etag: number }) {
  return { tools, etag: String(etag) };
}

function saved(name: string, { tools, etag }: { tools: string[]; etag: string }) {
  return { group: { name, included_tools: tools }, etag };
}

function bodyOf<Body>(body: Body | string | undefined): Body {
  if (body === undefined || typeof body === 'string') throw new Error('A body is needed, as an object.');
  return body;
}

const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** As it goes over the wire. */
function addressed(name: string, { path, query }: { path?: unknown; query?: unknown }) {
  const values = Object.entries(path ?? {});
  const address = values.reduce((text, [key, value]) => text.replace(`{${key}}`, String(value)), name);
  const asked = new URLSearchParams(Object.entries(query ?? {}).filter(([, value]) => value !== undefined));
  return asked.size > 0 ? `${address}?${asked}` : address;
}
