import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of a test's own making, for what no MCP server can be asked to do. */
export interface HttpServer {
  /** `127.0.0.1:<port>`. */
  readonly address: string;
  /** Takes no further connection; those that are there stay. */
  stopListening(): void;
  close(): Promise<void>;
}

export async function startHttpServer(listener: http.RequestListener): Promise<HttpServer> {
  const server = http.createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stopListening: () => void server.close(),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
