/** Another address of the gateway, which breaks the connection of an answer as soon as it has reported progress, once. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CuttingProxy {
  /** The same path at the proxy. */
  urlOf(gatewayUrl: string): string;
  /** It cuts the next answer, too. */
  arm(): void;
  cuts(): number;
  /** How often somebody came back for the rest of a stream. */
  resumptions(): number;
  close(): Promise<void>;
}

export async function startCuttingProxy(gatewayUrl: string): Promise<CuttingProxy> {
  const counts = { cuts: 0, resumptions: 0 };
  let isArmed = false;
  const server = http.createServer((request, response) => {
    if (request.headers['last-event-id'] !== undefined) counts.resumptions += 1;
    const { method, headers } = request;
    const far = http.request(new URL(request.url ?? '/', gatewayUrl), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
      answer.on('data', (bytes: Buffer) => {
        response.write(bytes);
        if (!isArmed || !bytes.includes('notifications/progress')) return;
        isArmed = false;
        counts.cuts += 1;
        // What was written goes out first; then the connection breaks, as the chunk that ends the body never comes.
        setImmediate(() => response.destroy());
        far.destroy();
      });
      answer.on('end', () => response.end()).on('error', () => response.destroy());
    });
    far.on('error', () => response.destroy());
    response.on('close', () => far.destroy());
    request.pipe(far);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    urlOf: (url) => `${origin}${new URL(url).pathname}`,
    arm() {
      isArmed = true;
    },
    cuts: () => counts.cuts,
    resumptions: () => counts.resumptions,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
