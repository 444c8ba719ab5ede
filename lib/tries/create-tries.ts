import type { CancelSignal } from '../async/cancellation.ts';
import type { StoredTool } from '../catalog/catalog.ts';
import type { Bus } from '../events/bus.ts';
import { Failure, toFailure } from '../failure.ts';
import { assertKnown, type GroupToolsDeps, readEntry } from '../groups/group-tools.ts';
import { standingOf } from '../groups/tool-listing.ts';
import { isObject } from '../json/is-object.ts';
import type { RawAnswer } from '../json-rpc/server-messages.ts';
import type { Log } from '../log.ts';
import { callOutcome } from '../mcp/methods/call-tool.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import { nobody } from './nobody.ts';
import type { Standing, Tries } from './tries.ts';
import { trySessionId } from './try-session.ts';

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

export function createTries(dependencies: TriesDependencies): Tries {
  const { catalog, groups, upstreams, metrics, bus, log, now, newId, defaultGroup } = dependencies;
  const known = { ...dependencies, service: { notLoaded: dependencies.notLoaded } };

  /** A default group that is gone is no reason to refuse. */
  function standing(tool: StoredTool, wanted: string | undefined): Standing | undefined {
    const group = wanted ?? defaultGroup;
    if (wanted === undefined && groups.isLoaded() && groups.read(group) === undefined) return undefined;
    readEntry(known, group);
    return { group, ...standingOf(known, group, tool) };
  }

  async function call(tool: StoredTool, argumentsText: string, signal: CancelSignal): Promise<RawAnswer> {
    const sessionId = trySessionId(newId());
    const params = `{"name":${JSON.stringify(tool.name)},"arguments":${argumentsText}}`;
    const { server } = tool;
    try {
      const request = {
        server,
        sessionId,
        method: 'tools/call',
        params: () => params,
        signal,
        clientChannel: nobody,
      };
      return await upstreams.request(request);
    } finally {
      bus.publish({ type: 'session_closed', name: sessionId });
    }
  }

  function note({ server, name }: StoredTool, outcome: string, milliseconds: number): void {
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
        note(tool, signal.aborted ? 'cancelled' : toFailure(error).code, took());
        throw error;
      });
      note(tool, callOutcome(answer), took());
      if ('error' in answer) throw refused(tool.server, answer.error);
      return { server: tool.server, result: answer.result, milliseconds: took(), standing: before };
    },
  };
}

const longestReason = 500;

/** The server's own error, not a result of its tool. @param error Raw JSON text. */
function refused(server: string, error: string): Failure {
  const rpcError: unknown = JSON.parse(error);
  const { message } = isObject(rpcError) ? rpcError : {};
  const reason = typeof message === 'string' ? message.slice(0, longestReason) : 'it gives no reason';
  return new Failure('upstream_error', `Server \`${server}\` answered with an error: ${reason}`, {
    details: { rpc_error: rpcError },
  });
}
