/**
 * A reverse proxy that deals requests to replicas in turn, the way a load balancer without stickiness does. Bodies are
 * piped both ways as they come, headers pass as they are, and a client that leaves ends the request at its replica.
 */
import { createServer, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RoundRobin {
  /** `http://localhost:<port>` */
  readonly url: string;
  /** How many requests each target was dealt and did not refuse, in the order of the targets. */
  counts(): readonly number[];
  close(): Promise<void>;
}

/** @param targets base URLs. One that refuses connections is passed over, as long as another is there. */
export async function startRoundRobin(targets: readonly string[]): Promise<RoundRobin> {
  const counts = targets.map(() => 0);
  let turn = 0;

  function count(at: number, more: number): void {
    counts[at] = (counts[at] ?? 0) + more;
  }

  function forward(request: IncomingMessage, response: ServerResponse, attempt: number): void {
    const at = turn++ % targets.length;
    count(at, 1);
    const { hostname, port } = new URL(targets[at] ?? '');
    const { method, url: path, headers } = request;
    const outgoing = openRequest({ hostname, port, method, path, headers, agent: false, setHost: false });
    outgoing.once('socket', (socket) => {
      socket.once('connect', () => request.pipe(outgoing));
    });
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      const isRefused = error.code === 'ECONNREFUSED';
      if (isRefused) count(at, -1);
      if (isRefused && attempt < targets.length) forward(request, response, attempt + 1);
      else response.destroy();
    });
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      response.flushHeaders();
      answer.pipe(response);
      answer.once('error', () => response.destroy());
    });
    response.once('close', () => outgoing.destroy());
  }

  const server = createServer((request, response) => forward(request, response, 1));
  server.requestTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    counts: () => [...counts],
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
