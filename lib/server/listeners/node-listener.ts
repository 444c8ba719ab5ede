import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createServerAdapter } from '@whatwg-node/server';
import { Failure, toFailure } from '../../failure.ts';
import type { Guard } from '../../http/guard.ts';
import { newRequestId } from '../../http/report-failure.ts';
import { answerUnderWay } from './node-answer-under-way.ts';
import { answerParserError, longestHeader, type RefusalBody, turnAway } from './node-raw-refusals.ts';
import { createStalledReaders } from './node-stalled-readers.ts';

/**
 * A Fetch handler on node:http. The raw request is checked here, because the adapter builds a URL from the Host header
 * outside of any `try` and prints stacks as bodies.
 */
export interface ListenerOptions {
  readonly handle: (request: Request) => Promise<Response>;
  readonly guard: Guard;
  readonly refusalBody: RefusalBody;
  /** Connections of these peers are ended before any byte is read. */
  readonly isRefusedPeer?: (address: string | undefined) => boolean;
  /** Why there is no room for this connection, which is answered so and ended. Absent: there is always room. */
  readonly admit?: ((connection: Socket) => Failure | undefined) | undefined;
  /** How long a client may leave an answer unread. Absent: 60 s. */
  readonly readerMs?: number;
}

const usualReaderMs = 60_000;

/** With one of these given twice, a proxy and this service might read different requests. */
const singleHeaders = new Set(['host', 'origin', 'mcp-session-id', 'content-type', 'authorization']);

export interface NodeListener {
  readonly server: Server;
  /** Requests under way, apart from GETs: some of them never end, and the others end soon. */
  underWay(): number;
  /** From now on each answer ends its connection, so that clients connect anew, possibly to another process. */
  leave(): void;
  /** Ends event streams that were opened with GET, which never end by themselves. */
  endEventStreams(): void;
  /** Ends connections without a request so far: browsers open some in advance, and Node does not count them as idle. */
  endUnusedConnections(): void;
}

export function createNodeListener(options: ListenerOptions): NodeListener {
  const { handle, guard, refusalBody, isRefusedPeer = () => false, admit } = options;
  const { readerMs = usualReaderMs } = options;
  const eventStreams = new Set<ServerResponse>();
  let isLeaving = false;
  const adapter = createServerAdapter<{ readonly res: ServerResponse }>((request, { res }) =>
    request.method === 'GET'
      ? handle(request).then((answer) => trackEventStream(answer, res))
      : handle(request),
  );

  /** Reads the Fetch response: after the adapter has written it, the ServerResponse does not know its headers. */
  function trackEventStream(answer: Response, response: ServerResponse): Response {
    if (answer.headers.get('content-type') === 'text/event-stream' && !response.closed) {
      eventStreams.add(response);
      response.once('close', () => eventStreams.delete(response));
      response.once('finish', () => leaveAfter(response));
    }
    return answer;
  }

  /** The headers of a stream may be older than the decision to leave; its client is to connect anew all the same. */
  function leaveAfter({ req }: ServerResponse): void {
    if (isLeaving) req.socket.end();
  }

  function refuse(failure: Failure, response: ServerResponse): void {
    const requestId = newRequestId();
    const body = JSON.stringify(refusalBody(failure, requestId));
    response.writeHead(failure.status, {
      'Content-Type': 'application/json',
      'X-Content-Type-Options': 'nosniff',
      'Content-Length': Buffer.byteLength(body),
      'X-Request-Id': requestId,
      ...failure.headers,
    });
    response.end(body);
  }

  function listener(request: IncomingMessage, response: ServerResponse): void {
    if (isLeaving) response.shouldKeepAlive = false;
    try {
      assertWellFormed(request);
      guard({
        method: request.method ?? 'GET',
        path: pathOf(request.url ?? '/'),
        host: request.headers.host ?? null,
        origin: request.headers.origin ?? null,
        secFetchSite: headerText(request, 'sec-fetch-site'),
        authorization: request.headers.authorization ?? null,
      });
    } catch (error) {
      request.resume();
      refuse(toFailure(error), response);
      return;
    }
    adapter(request, response);
  }

  const server = createServer(
    {
      maxHeaderSize: longestHeader,
      // `assertWellFormed` answers instead: Node's own answer has no body and lacks our headers.
      requireHostHeader: false,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 75_000,
      connectionsCheckingInterval: 1_000,
    },
    listener,
  );
  // Node's own answer has no body and lacks our headers.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    refuse(unknownExpectation(), response);
  });
  const connections = new Set<Socket>();
  server.on('connection', (connection: Socket) => {
    if (isRefusedPeer(connection.remoteAddress)) return void connection.destroy();
    const refusal = admit?.(connection);
    if (refusal !== undefined) return turnAway(connection, refusal, refusalBody);
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  });
  const stalledReaders = createStalledReaders(readerMs, () => performance.now());
  const checking = setInterval(() => stalledReaders.endStalled(connections), readerMs / 6).unref();
  server.once('close', () => clearInterval(checking));
  server.on('clientError', answerParserError(refusalBody));
  return {
    server,
    underWay: () => [...connections].filter(hasRequestUnderWay).length,
    leave() {
      isLeaving = true;
    },
    endEventStreams() {
      for (const response of eventStreams) endProperly(response);
    },
    endUnusedConnections() {
      for (const connection of connections) if (connection.bytesRead === 0) connection.destroy();
    },
  };
}

function assertWellFormed(request: IncomingMessage): void {
  if (!request.url?.startsWith('/')) {
    throw new Failure('invalid_request', 'The request target must be a path.');
  }
  // RFC 9112, section 3.2.
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    throw new Failure('invalid_request', 'An HTTP/1.1 request needs the Host header.');
  }
  const seen = new Set<string>();
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at]?.toLowerCase() ?? '';
    if (!singleHeaders.has(name)) continue;
    if (seen.has(name)) throw doubled(name);
    seen.add(name);
  }
}

function doubled(name: string): Failure {
  const sentence = `The ${name} header may be given once.`;
  if (name === 'host') return new Failure('host_not_allowed', sentence);
  return name === 'origin'
    ? new Failure('origin_not_allowed', sentence)
    : new Failure('invalid_request', sentence);
}

function unknownExpectation(): Failure {
  return new Failure('invalid_request', 'Of `Expect` only `100-continue` is known here.', { status: 417 });
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

function headerText(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}

function hasRequestUnderWay(connection: Socket): boolean {
  const answer = answerUnderWay(connection);
  return answer !== undefined && answer.req.method !== 'GET';
}

/** The client sees a proper end and no fault: some clients retry less often after a fault. Later writes are lost. */
function endProperly(response: ServerResponse): void {
  response.on('error', () => {});
  response.end();
}
