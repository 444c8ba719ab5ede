/** The agents of the installation: sessions that stay open, and streams whose clients lost their connection. */

import {
  type BrokenStream,
  headersOf,
  type OpenSession,
  type OpenSessions,
  request,
} from '../../tests/support/installation-view.ts';
import { switchTool } from '../../tests/support/manager-api.ts';
import { postJson } from '../../tests/support/mcp-client.ts';
import { openReader } from '../../tests/support/mcp-exchange.ts';
import type { RunningService } from '../../tests/support/run-service.ts';
import { openStreamClient } from '../../tests/support/stream-client.ts';
import { waitUntil } from '../../tests/support/wait-until.ts';

const capable = { sampling: {}, elicitation: { form: {}, url: {} }, roots: { listChanged: true } };

export async function openSessions(service: RunningService): Promise<OpenSessions> {
  const sessions = {
    oldest: await open(service, 'svc-global', '2025-03-26'),
    listening: await open(service, 'svc-global', '2025-11-25'),
    capable: await open(service, 'research', '2025-06-18', capable),
    reviewing: await open(service, 'review', '2025-06-18'),
  };
  const { capable: asked } = sessions;
  await wellAnswered(service, asked, 'logging/setLevel', { level: 'warning' });
  await wellAnswered(service, asked, 'resources/subscribe', { uri: 'r://one' });
  for (const session of Object.values(sessions)) await wellAnswered(service, session, 'tools/list', {});
  return sessions;
}

/** A call whose client left after the first progress, and a session's stream with news on it. */
export async function breakStreams(service: RunningService, sessions: OpenSessions): Promise<BrokenStream[]> {
  const { listening: session } = sessions;
  if (session === undefined) throw new Error('there is no session that listens');
  return [await breakCall(service, session), await breakNews(service, session)];
}

async function open(
  service: RunningService,
  group: string,
  protocolVersion: string,
  capabilities: object = {},
): Promise<OpenSession> {
  const params = {
    protocolVersion,
    capabilities,
    clientInfo: { name: 'an agent', version: '1.2.3', title: 'Ägent' },
  };
  const answer = await postJson(service.groupUrl(group), {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params,
  });
  const id = answer.headers.get('mcp-session-id');
  if (id === null) throw new Error(`initialize: ${answer.status} ${answer.text}`);
  const session = { id, group, protocolVersion };
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
  await postJson(service.groupUrl(group), initialized, headersOf(session));
  return session;
}

async function wellAnswered(service: RunningService, session: OpenSession, method: string, params: object) {
  const { status, text, body } = await request(service, session, method, params);
  if (body?.result === undefined) throw new Error(`${method}: ${status} ${text}`);
}

async function breakCall(service: RunningService, session: OpenSession): Promise<BrokenStream> {
  const leaving = new AbortController();
  const params = {
    name: 'everything__trigger-long-running-operation',
    arguments: { duration: 1, steps: 4 },
    _meta: { progressToken: 'p' },
  };
  const response = await fetch(service.groupUrl(session.group), {
    method: 'POST',
    headers: {
      ...headersOf(session),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'broken', method: 'tools/call', params }),
    signal: leaving.signal,
  });
  const reader = openReader(response);
  let lastEventId: string | undefined;
  while (lastEventId === undefined) {
    const event = await reader.nextWithId();
    if (event === 'closed') throw new Error('the call ended before it told of progress');
    if (/^data: ./m.test(event)) lastEventId = /^id: (.*)$/m.exec(event)?.[1];
  }
  leaving.abort();
  return { session: 'listening', lastEventId, rest: await readRest(service, session, lastEventId) };
}

/** Up to the call's answer. */
async function readRest(
  service: RunningService,
  session: OpenSession,
  lastEventId: string,
): Promise<unknown[]> {
  const client = openStreamClient({
    sessionId: session.id,
    urls: [service.groupUrl(session.group)],
    lastEventId,
  });
  const messages = () => [...client.received.values()].map((text) => JSON.parse(text));
  await waitUntil('the answer has come', () => messages().some(({ id }) => id === 'broken'));
  client.close();
  return messages();
}

async function breakNews(service: RunningService, session: OpenSession): Promise<BrokenStream> {
  const client = openStreamClient({ sessionId: session.id, urls: [service.groupUrl(session.group)] });
  await waitUntil('the stream is open', () => client.isOpen());
  for (const enabled of [false, true, false, true]) {
    const before = client.received.size;
    await switchTool(service, session.group, 'everything__echo', enabled);
    await waitUntil('the agent is told', () => client.received.size > before);
  }
  const events = [...client.received];
  client.close();
  const [lastEventId = ''] = events[0] ?? [];
  return { session: 'listening', lastEventId, rest: events.slice(1).map(([, text]) => JSON.parse(text)) };
}
