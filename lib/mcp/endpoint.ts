import { Failure } from '../failure.ts';
import type { Groups } from '../groups/groups.ts';
import { emptyResponse } from '../http/responses.ts';
import { parseJson } from '../json/parse-json.ts';
import { type Message, type RequestMessage, readableId, toMessage } from '../json-rpc/client-messages.ts';
import { failureText, resultText } from '../json-rpc/write.ts';
import type { ClientRequests } from '../sessions/client-requests/client-requests.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import { answerBatch, assertBatch, assertMayBatch, idsOfRequests } from './batch.ts';
import type { ClientChannels } from './calls.ts';
import {
  type AcceptedTypes,
  answerAsJsonOrStream,
  plainAnswer,
  readAccept,
  type StreamOpening,
} from './content-negotiation.ts';
import { accept, type DispatchDependencies, dispatch, failedAnswer } from './dispatch.ts';
import { type EntryFacts, enterSession, noSuchGroup } from './enter-session.ts';
import { initializeResult, readInitialize } from './methods/initialize.ts';
import type { Scope } from './methods/scope.ts';
import type { AnswerStreams } from './streams/answer-streams.ts';
import type { GroupViews } from './views/group-views.ts';

/**
 * One group's Streamable HTTP endpoint without the HTTP server around it. A POST is checked in this order
 * (docs/protocol.md, The envelope, and Lifecycle and sessions): headers, JSON, envelope, session, method. Requests read
 * only memory, unless the session is new to this process.
 */
export interface EndpointDependencies extends DispatchDependencies {
  readonly groups: Pick<Groups, 'read' | 'renamedTo'>;
  readonly views: Pick<GroupViews, 'read'>;
  readonly sessions: Pick<Sessions, 'create' | 'find' | 'read' | 'end' | 'setLogLevel'>;
  readonly clientChannels: Pick<ClientChannels, 'of'>;
  readonly clientRequests: Pick<ClientRequests, 'take'>;
  readonly answerStreams: Pick<AnswerStreams, 'open' | 'slowCallTimer' | 'immediateTimer'>;
  readonly version: string;
}

export interface PostFacts extends EntryFacts {
  readonly accept: string | null;
  readonly authorization: string | null;
}

interface Client extends Pick<PostFacts, 'authorization'> {
  readonly accepted: AcceptedTypes;
}

/**
 * Answers the body `text`. Throws a Failure only for a body that is refused before a message was read; all later
 * answers carry the message's id.
 */
export async function answerPost(
  facts: PostFacts,
  text: string,
  dependencies: EndpointDependencies,
): Promise<Response> {
  const accepted = readAccept(facts.accept);
  const value = parseJson(text);
  try {
    return Array.isArray(value)
      ? await postBatch(facts, value, text, accepted, dependencies)
      : await postMessage(facts, toMessage(value, text), accepted, dependencies);
  } catch (error) {
    return plainAnswer(accepted, failedAnswer(readableId(value, text), error, dependencies));
  }
}

async function postMessage(
  facts: PostFacts,
  message: Message,
  accepted: AcceptedTypes,
  dependencies: EndpointDependencies,
): Promise<Response> {
  if (message.kind === 'request' && message.method === 'initialize') {
    return initialize(message, facts, accepted, dependencies);
  }
  const { session, view } = await enterSession(facts, dependencies, endsHandshake(message) ? 'read' : 'find');
  if (message.kind === 'request') {
    const scope = { session, view, emit: undefined, clientChannel: undefined };
    return answerRequest(message, scope, { accepted, authorization: facts.authorization }, dependencies);
  }
  await accept(message, { session }, dependencies);
  return emptyResponse(202);
}

/** The last message of the handshake: a client that sends no other message has not used its session. */
function endsHandshake(message: Message): boolean {
  return message.kind === 'notification' && message.method === 'notifications/initialized';
}

async function initialize(
  message: RequestMessage,
  facts: PostFacts,
  accepted: AcceptedTypes,
  dependencies: EndpointDependencies,
): Promise<Response> {
  const view = dependencies.views.read(facts.group);
  if (view === undefined) throw noSuchGroup(dependencies.groups, facts.group);
  const session = await dependencies.sessions.create(
    readInitialize(message.params, facts.group, dependencies.gatewayId()),
  );
  const result = initializeResult(session.protocolVersion, facts.group, dependencies.version, view.features);
  return plainAnswer(accepted, {
    text: resultText(message.id, result),
    status: 200,
    headers: { 'Mcp-Session-Id': session.id },
  });
}

/** Only requests that go to a server can have messages before their answer. */
async function answerRequest(
  message: RequestMessage,
  scope: Scope,
  client: Client,
  dependencies: EndpointDependencies,
): Promise<Response> {
  const { accepted } = client;
  if (!accepted.eventStream || isAnsweredHere(message.method)) {
    return plainAnswer(accepted, await dispatch(message, scope, dependencies));
  }
  const { session, view } = scope;
  const opening = openingFor(session, client, () => lostAnswer(message.id), dependencies);
  return answerAsJsonOrStream(accepted, opening, (channel) => {
    const clientChannel = dependencies.clientChannels.of(session, channel);
    return dispatch(message, { session, view, emit: channel.emit, clientChannel }, dependencies);
  });
}

function isAnsweredHere(method: string): boolean {
  return method === 'ping' || method.endsWith('/list');
}

async function postBatch(
  facts: PostFacts,
  items: readonly unknown[],
  text: string,
  accepted: AcceptedTypes,
  dependencies: EndpointDependencies,
): Promise<Response> {
  assertBatch(items);
  const { session, view } = await enterSession(facts, dependencies);
  assertMayBatch(session);
  const answerWith = (outlets: Pick<Scope, 'emit' | 'clientChannel'>) =>
    answerBatch(items, text, { session, view, ...outlets }, dependencies);
  if (!accepted.eventStream) {
    return plainAnswer(accepted, await answerWith({ emit: undefined, clientChannel: undefined }));
  }
  const fallbackAnswer = () => `[${idsOfRequests(items, text).map(lostAnswer).join(',')}]`;
  const opening = openingFor(
    session,
    { accepted, authorization: facts.authorization },
    fallbackAnswer,
    dependencies,
  );
  return answerAsJsonOrStream(accepted, opening, (channel) =>
    answerWith({ emit: channel.emit, clientChannel: dependencies.clientChannels.of(session, channel) }),
  );
}

function openingFor(
  session: Session,
  { accepted, authorization }: Client,
  fallbackAnswer: () => string,
  { answerStreams }: Pick<EndpointDependencies, 'answerStreams'>,
): StreamOpening {
  return {
    open: () => answerStreams.open({ session, authorization, fallbackAnswer: fallbackAnswer() }),
    slowCallTimer: accepted.prefersStream ? answerStreams.immediateTimer : answerStreams.slowCallTimer,
  };
}

/** The answer for a client that returns after the process of its request was lost. @param id raw JSON. */
function lostAnswer(id: string): string {
  const why = 'The process that worked on this request was lost; whether it was done is not known.';
  return failureText(id, new Failure('internal', why));
}
