/** Another address of a server on this machine, which can be taken away. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Forwarder {
  /** `127.0.0.1:<port>`. */
  readonly address: string;
  close(): Promise<void>;
}

/** @param target `127.0.0.1:<port>`. */
export async function startForwarder(target: string): Promise<Forwarder> {
  const [host = '', port] = target.split(':');
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      return closed;
    },
  };
}
