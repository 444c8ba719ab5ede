/** What Neon's vendor runs in front of its databases, in small: a WebSocket in, a TCP connection out. */
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { NeonConfig } from '@neondatabase/serverless';
import { WebSocket, WebSocketServer } from 'ws';

export interface NeonProxy {
  /** For `createNeonDatabase`: everything the driver needs to come through this proxy. */
  readonly settings: Partial<NeonConfig>;
  close(): Promise<void>;
}

export async function startNeonProxy(): Promise<NeonProxy> {
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, request) => {
    const address = new URL(request.url ?? '/', 'http://proxy').searchParams.get('address') ?? '';
    const [host, port] = address.split(':');
    const upstream = connect(Number(port), host);
    socket.on('message', (data: Buffer) => upstream.write(data));
    socket.on('close', () => upstream.destroy());
    upstream.on('data', (data) => socket.send(data));
    upstream.on('close', () => socket.close());
    upstream.on('error', () => socket.close());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    settings: {
      wsProxy: (host, databasePort) => `127.0.0.1:${port}/v1?address=${host}:${databasePort}`,
      useSecureWebSocket: false,
      pipelineConnect: false,
      pipelineTLS: false,
      webSocketConstructor: WebSocket,
    },
    async close() {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
