import { ApiFailure } from '../../../static/lib/api.js';

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

  async function get(path: string) {
    calls.push(`GET ${path}`);
    const answer = answerTo(path);
    await new Promise((resolve) => setTimeout(resolve, slowMs));
    if (failure) throw failure;
    return answer;
  }

  function answerTo(path: string) {
    const url = new URL(path, 'http://manager');
    const group = url.searchParams.get('group') ?? 'main';
    if (url.pathname === '/api/groups')
      return { groups: [...versions.keys()], default: 'main', gateway_url: '' };
    if (url.pathname === '/api/servers') return { servers: [{ name: 's' }] };
    if (url.pathname === '/api/tools') return { servers: { s: toolsFor(read(group).tools) } };
    if (url.pathname === '/api/current') return { group, ...shown(read(group)), description: '' };
    return {};
  }

  function toolsFor(members: readonly string[]) {
    const stateOf = (name: string) => (offered.has(name) ? 'present' : 'missing');
    return [...new Set([...offered, ...members])].map((name) => ({
      name,
      state: stateOf(name),
      ...definitions.get(name),
    }));
  }

  function assertOffered(tools: readonly string[], members: readonly string[] = []) {
    const unknown = tools.find((name) => !offered.has(name) && !members.includes(name));
    if (unknown === undefined) return;
    throw new ApiFailure({ code: 'tool_not_found', message: `Nobody offers ${unknown}.`, status: 404 });
  }

  async function put(
    path: string,
    body: { tools: string[]; definition_hashes?: object },
    headers: Record<string, string> = {},
  ) {
    calls.push(`PUT ${path}`);
    sentHashes.push(body.definition_hashes);
    await new Promise((resolve) => setTimeout(resolve, writeMs));
    if (failure) throw failure;
    const group = path.split('/')[3] ?? '';
    const etag = headers['If-Match'];
    if (etag !== undefined && etag !== String(read(group).etag)) {
      throw new ApiFailure({ code: 'group_changed', message: 'The group changed.', status: 409 });
    }
    assertOffered(body.tools, read(group).tools);
    return write(group, body.tools);
  }

  async function post(
    path: string,
    {
      tools = [],
      definition_hashes,
      name,
    }: { tools?: string[]; definition_hashes?: object; name?: string } = {},
    { headers = {} }: { headers?: Record<string, string> | undefined } = {},
  ) {
    if (failure) throw failure;
    if (name !== undefined) return rename(path.split('/')[3] ?? '', name, headers['If-Match']);
    sentHashes.push(definition_hashes);
    assertOffered(tools);
    return write(path.split('/')[3] ?? '', tools);
  }

  async function rename(group: string, name: string, etag?: string) {
    const version = read(group);
    if (etag !== undefined && etag !== String(version.etag)) {
      throw new ApiFailure({ code: 'group_changed', message: 'The group changed.', status: 409 });
    }
    versions.delete(group);
    await new Promise((resolve) => setTimeout(resolve, writeMs));
    return write(name, version.tools);
  }

  async function remove(path: string) {
    calls.push(`DELETE ${path}`);
    if (failure) throw failure;
    versions.delete(path.split('/')[3] ?? '');
    await new Promise((resolve) => setTimeout(resolve, slowMs * 3));
    return {};
  }

  return {
    api: { get, put, post, delete: remove, stream: async () => {} },
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
    failWith: (code?: string) => {
      failure = code === undefined ? undefined : new ApiFailure({ code, message: 'It went wrong.' });
    },
  };
}

function shown({ tools, etag }: { tools: string[]; etag: number }) {
  return { tools, etag: String(etag) };
}
