import type { CancelSignal } from '../../lib/async/cancellation.ts';
import { toFailure } from '../../lib/failure.ts';
import type { RawAnswer } from '../../lib/json-rpc/server-messages.ts';
import type { ClientChannel, UpstreamRequest, Upstreams } from '../../lib/upstreams/upstreams.ts';

/** One request as it reached a server, and what the script may do with it. */
export interface RelayedCall {
  readonly server: string;
  readonly sessionId: string;
  readonly method: string;
  /** Raw text, as sent. */
  readonly params: string;
  /** The token minted for this connection; what the server sees when the client asked for progress. */
  readonly token: number;
  readonly wantsProgress: boolean;
  readonly signal: CancelSignal;
  /** The client behind it, when it can be told and asked. */
  readonly clientChannel: ClientChannel | undefined;
  /** Sends a progress notification with our token, as the server would. */
  progress(fields: Readonly<Record<string, unknown>>): void;
}

export type Script = (call: RelayedCall) => Promise<RawAnswer> | RawAnswer;

export interface ScriptedUpstreams extends Pick<Upstreams, 'request' | 'endSession'> {
  /** Everything that was relayed, in order. */
  readonly calls: readonly RelayedCall[];
  readonly endedSessions: readonly string[];
  /** What every further call is answered with. */
  answerWith(script: Script): void;
}

/**
 * Servers that do what the test says. Like the real ones they mint a token per call and tell a cancelled call's
 * server, which is seen here as `signal.aborted`; unlike them they need not answer a cancelled call at all.
 */
export function createScriptedUpstreams(): ScriptedUpstreams & Upstreams {
  const calls: RelayedCall[] = [];
  const endedSessions: string[] = [];
  let script: Script = ({ params }) => ({ result: `{"content":[],"_meta":{"params":${params}}}` });

  async function request(relayed: UpstreamRequest): Promise<RawAnswer> {
    const token = calls.length + 1_000;
    const call: RelayedCall = {
      server: relayed.server,
      sessionId: relayed.sessionId,
      method: relayed.method,
      params: relayed.params(token),
      token,
      wantsProgress: relayed.onProgress !== undefined,
      signal: relayed.signal,
      clientChannel: relayed.clientChannel,
      progress: (fields) =>
        relayed.onProgress?.(
          JSON.stringify({
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { progressToken: token, ...fields },
          }),
        ),
    };
    calls.push(call);
    return await script(call);
  }

  return {
    calls,
    endedSessions,
    request,
    answerWith: (next) => {
      script = next;
    },
    endSession: (sessionId) => {
      endedSessions.push(sessionId);
    },
    activeSessions: () => [],
    install() {},
    prepare: notHere,
    letGo: async () => {},
    remove: async () => {},
    connect: notHere,
    relist: notHere,
    restart: notHere,
    status: () => undefined,
    logs: () => [],
    followLogs: () => () => {},
    setLogLevel() {},
    rootsChanged() {},
    close: async () => {},
  };
}

async function notHere(): Promise<never> {
  throw toFailure(new Error('A scripted server has no process.'));
}
