import type { CancelSignal } from '../async/cancellation.ts';
import type { StoredTool } from '../catalog/catalog.ts';
import type { Bus } from '../events/bus.ts';
import { Failure, toFailure } from '../failure.ts';
import { assertKnown, type GroupToolsDeps, readEntry } from '../groups/group-tools.ts';
import type { ListedGroupTool } from '../groups/listed-tool.ts';
import { standingOf } from '../groups/tool-listing.ts';
import { isObject } from '../json/parse-json.ts';
import type { RawAnswer } from '../json-rpc/server-messages.ts';
import type { Log } from '../log.ts';
import { callOutcome } from '../mcp/methods/call-tool.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { ClientChannel, Upstreams } from '../upstreams/upstreams.ts';

/**
 * Calls of tools by an administrator, before agents have them (docs/decisions/0022). A try is made like an agent's call,
 * within the server's own limits and times, but no client stands behind it.
 */
export interface Tries {
  /**
   * @param signal Aborted when the caller goes away: the call is cancelled, and this rejects with `signal.reason`.
   * @throws Failure `tool_not_found`, `group_not_found`, `database_unavailable` (not loaded yet); `upstream_unavailable`,
   *   `upstream_timeout`, `too_many_requests` as a call meets them; `upstream_error` when the server answers with a
   *   JSON-RPC error, which is in `details`.
   */
  run(tryRequest: TryRequest, signal: CancelSignal): Promise<TriedCall>;
}

export interface TryRequest {
  /** Full name. */
  readonly tool: string;
  /** Raw JSON text of an object. */
  readonly argumentsText: string;
  /** The answer says how the tool stands in this group; absent: the default group, if there is one. */
  readonly group: string | undefined;
}

export interface TriedCall {
  readonly server: string;
  /** Raw JSON text of the CallToolResult. */
  readonly result: string;
  readonly milliseconds: number;
  /** Undefined: there is no default group. */
  readonly standing: Standing | undefined;
}

/** How the tool stands in a group, as in `GET /api/tools`. */
export interface Standing extends Pick<ListedGroupTool, 'enabled' | 'state'> {
  readonly group: string;
}

export interface TriesDependencies extends Omit<GroupToolsDeps, 'service'> {
  readonly upstreams: Pick<Upstreams, 'request'>;
  readonly metrics: Pick<Metrics, 'countTry'>;
  readonly bus: Pick<Bus, 'publish'>;
  readonly log: Pick<Log, 'info'>;
  readonly notLoaded: () => Failure;
  readonly defaultGroup: string;
  readonly newId: () => string;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

const trySessionPrefix = 'try:';
const longestReason = 500;

export function createTries(dependencies: TriesDependencies): Tries {
  const { catalog, groups, upstreams, metrics, bus, log, now, newId, defaultGroup } = dependencies;
  const known = { ...dependencies, service: { notLoaded: dependencies.notLoaded } };

  /** A missing default group does not refuse a try. */
  function standing(tool: StoredTool, wanted: string | undefined): Standing | undefined {
    const group = wanted ?? defaultGroup;
    if (wanted === undefined && groups.isLoaded() && groups.read(group) === undefined) return undefined;
    readEntry(known, group);
    return { group, ...standingOf(known, group, tool) };
  }

  async function call(tool: StoredTool, argumentsText: string, signal: CancelSignal): Promise<RawAnswer> {
    const sessionId = trySessionPrefix + newId();
    const params = `{"name":${JSON.stringify(tool.name)},"arguments":${argumentsText}}`;
    const { server } = tool;
    try {
      const request = {
        server,
        sessionId,
        method: 'tools/call',
        params: () => params,
        signal,
        clientChannel: noClient,
      };
      return await upstreams.request(request);
    } finally {
      bus.publish({ type: 'session_closed', name: sessionId });
    }
  }

  function record({ server, name }: StoredTool, outcome: string, milliseconds: number): void {
    metrics.countTry(server, name, outcome, milliseconds);
    log.info({ server, tool: name, outcome, milliseconds, tried: true }, 'a tool was tried');
  }

  return {
    async run({ tool: name, argumentsText, group }, signal) {
      if (!catalog.isLoaded()) throw dependencies.notLoaded();
      assertKnown(catalog, [name]);
      const tool = catalog.tool(name);
      if (tool === undefined) throw new Error('A tool that is known is there.');
      const before = standing(tool, group);
      const startedAt = now();
      const took = () => Math.round(now() - startedAt);
      const answer = await call(tool, argumentsText, signal).catch((error: unknown) => {
        record(tool, signal.aborted ? 'cancelled' : toFailure(error).code, took());
        throw error;
      });
      record(tool, callOutcome(answer), took());
      if ('error' in answer) throw refused(tool.server, answer.error);
      return { server: tool.server, result: answer.result, milliseconds: took(), standing: before };
    },
  };
}

/**
 * A try belongs to no agent's session, but servers keep state by session: each try has a session of its own, which no
 * table knows and which ends with the try.
 */
export function isTrySession(sessionId: string): boolean {
  return sessionId.startsWith(trySessionPrefix);
}

/** No client stands behind a try: notifications are dropped, and requests are refused in words that the tool may show. */
const noClient: ClientChannel = {
  canAnswer: false,
  logLevel: undefined,
  notify() {},
  hangUp() {},
  ask: async (method) => ({
    error: JSON.stringify({
      code: -32601,
      message: `This call is a try: there is no client behind it that could answer ${method}.`,
    }),
  }),
};

/** The server's own error, not a result of its tool. @param error Raw JSON text. */
function refused(server: string, error: string): Failure {
  const rpcError: unknown = JSON.parse(error);
  const { message } = isObject(rpcError) ? rpcError : {};
  const reason = typeof message === 'string' ? message.slice(0, longestReason) : 'it gives no reason';
  return new Failure('upstream_error', `Server \`${server}\` answered with an error: ${reason}`, {
    details: { rpc_error: rpcError },
  });
}
