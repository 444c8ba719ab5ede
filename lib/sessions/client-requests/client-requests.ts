import type { CancelSignal } from '../../async/cancellation.ts';
import type { Bus } from '../../events/bus.ts';
import { memberText } from '../../json/raw-json.ts';
import type { ResponseMessage } from '../../json-rpc/client-messages.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import { cancelledText, requestText } from '../../json-rpc/write.ts';
import type { Session } from '../sessions.ts';
import { createAwaitedAnswers, givenUp } from './awaited-answers.ts';
import type { ClientRequestRows } from './client-request-rows.ts';
import { createUnreadQuestions, type UnreadQuestion } from './unread-questions.ts';

/**
 * Sends servers' requests to clients (docs/protocol.md, rule 49): on the stream of the call that a server works on, or
 * outside of any call on a stream that the client listens to, in any process. The answer is a POST of its own, to any
 * process too. A client is asked only for the capabilities that it declared (2025-11-25 client/sampling, elicitation,
 * roots): any other request is an error of the server, which is answered here.
 */
export interface ClientRequests {
  /**
   * Asks the client on the stream that `emit` writes to. Never rejects: without the capability the answer is the error for
   * the server. @param params raw JSON text.
   */
  ask(client: AskedClient, method: string, params: string, signal: CancelSignal): Promise<RawAnswer>;
  /** The same outside of any call: without a stream here, the process that has a stream of the client sends the request. */
  askOutside(client: ListeningClient, question: Question): Promise<RawAnswer>;
  /**
   * An answer that this session's client posted. Answers to requests of other sessions and to unknown ids are dropped.
   * Rejects with `database_unavailable` when the process that waits cannot be notified.
   */
  take(session: Pick<Session, 'id'>, message: ResponseMessage): Promise<void>;
  close(): void;
}

type AskedSession = Pick<Session, 'id' | 'clientCapabilities' | 'protocolVersion'>;

export interface AskedClient {
  readonly session: AskedSession;
  readonly emit: (message: string) => void;
}

export interface ListeningClient {
  readonly session: AskedSession;
  /** Sends on a stream that the client listens to in this process; false: there is none. */
  readonly send: (message: string) => boolean;
}

export interface Question {
  readonly method: string;
  /** Raw JSON text. */
  readonly params: string;
  readonly signal: CancelSignal;
  /** How long the request waits for a stream of the client, ms. */
  readonly unreadMs: number;
}

export interface ClientRequestsOptions {
  /** Absent: there is no other process. */
  readonly rows?: ClientRequestRows;
  readonly bus: Pick<Bus, 'subscribe' | 'publish' | 'onGap'>;
  /** Not to be guessed: knowing an id is enough to answer in the client's place. */
  readonly newId: () => string;
}

export type Capabilities = Readonly<Record<string, unknown>>;

/** `sampling.context` (2025-11-25 client/sampling, Capabilities). */
const firstVersionWithContext = '2025-11-25';

export function createClientRequests({ rows, bus, newId }: ClientRequestsOptions): ClientRequests {
  const answers = createAwaitedAnswers({ rows, bus });
  const unread = createUnreadQuestions({ rows, bus, answers });

  /** Resolves with the answer, or when `signal` is aborted: then `takeBack` has run. */
  function answerTo(id: string, session: AskedSession, signal: CancelSignal, takeBack: () => void) {
    const giveUp = () => {
      if (answers.isWaiting(id)) takeBack();
      answers.complete(id, givenUp);
    };
    signal.addEventListener('abort', giveUp);
    return answers.wait(id, session.id).finally(() => signal.removeEventListener('abort', giveUp));
  }

  /** At once, while the stream is there. A request without its row can still be answered here. */
  function recordSent(id: string, sessionId: string): () => void {
    const written = rows?.insert(id, sessionId).catch(() => {});
    return () => void written?.then(() => rows?.remove(id)).catch(() => {});
  }

  return {
    async ask({ session, emit }, method, params, signal) {
      const refusal = refusalOf(method, params, session);
      if (refusal !== undefined) return refusal;
      const id = newId();
      const answer = answerTo(id, session, signal, () => emit(cancelledText(quoted(id))));
      emit(requestText(quoted(id), method, params));
      return await answer.finally(recordSent(id, session.id));
    },

    async askOutside({ session, send }, { method, params, signal, unreadMs }) {
      const refusal = refusalOf(method, params, session);
      if (refusal !== undefined) return refusal;
      if (signal.aborted) return givenUp;
      const id = newId();
      const text = requestText(quoted(id), method, params);
      let question: UnreadQuestion | undefined;
      const answer = answerTo(id, session, signal, () => {
        if (question) question.takeBack(cancelledText(quoted(id)));
        else send(cancelledText(quoted(id)));
      });
      if (send(text)) return await answer.finally(recordSent(id, session.id));
      question = unread.store({ id, sessionId: session.id, text, unreadMs });
      return await answer.finally(question.end);
    },

    async take(session, { id, text }) {
      if (typeof id === 'string') await answers.receive(session.id, id, text);
    },

    close: answers.close,
  };
}

const quoted = (id: string) => `"${id}"`;

/** The error for the server when the client did not declare the capability. @param params raw JSON text. */
function refusalOf(
  method: string,
  params: string,
  { clientCapabilities, protocolVersion }: Pick<Session, 'clientCapabilities' | 'protocolVersion'>,
): RawAnswer | undefined {
  const { sampling, elicitation, roots } = clientCapabilities;
  if (method === 'sampling/createMessage') return samplingRefusal(params, sampling, protocolVersion);
  if (method === 'elicitation/create') return elicitationRefusal(params, elicitation);
  return isDeclared(roots) ? undefined : unsupported('roots');
}

function samplingRefusal(params: string, sampling: unknown, protocolVersion: string): RawAnswer | undefined {
  if (!isDeclared(sampling)) return unsupported('sampling');
  const wantsTools = memberText(params, 'tools') ?? memberText(params, 'toolChoice');
  if (wantsTools !== undefined && !isDeclared(sampling.tools)) {
    return error(-32602, 'The client does not support tools in sampling.');
  }
  // In older revisions, where context cannot be declared, every client that samples is expected to read it.
  const isContextDeclared = isDeclared(sampling.context) || protocolVersion < firstVersionWithContext;
  return wantsContext(params) && !isContextDeclared
    ? error(-32602, 'The client does not support context in sampling: `includeContext` can only be "none".')
    : undefined;
}

function wantsContext(params: string): boolean {
  const included = memberText(params, 'includeContext') ?? 'null';
  return included !== 'null' && JSON.parse(included) !== 'none';
}

/** No mode declared means forms, as before there were modes (2025-11-25 client/elicitation, Capabilities). */
function elicitationRefusal(params: string, elicitation: unknown): RawAnswer | undefined {
  if (!isDeclared(elicitation)) return unsupported('elicitation');
  const mode = memberText(params, 'mode') === '"url"' ? 'url' : 'form';
  const isAvailable = isDeclared(elicitation[mode]) || (mode === 'form' && elicitation.url === undefined);
  return isAvailable ? undefined : error(-32602, `The client does not support elicitation by ${mode}.`);
}

function isDeclared(capability: unknown): capability is Capabilities {
  return typeof capability === 'object' && capability !== null;
}

function unsupported(capability: string): RawAnswer {
  return error(-32601, `The client does not support ${capability}.`);
}

function error(code: number, message: string): RawAnswer {
  return { error: JSON.stringify({ code, message }) };
}
