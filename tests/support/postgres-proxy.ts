/** A TCP connection between a service and its Postgres that a test can look into, hold up and cut. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface PostgresProxy {
  /** The URL it was made for, through the proxy. */
  readonly url: string;
  /** Resets every connection, and each new one at once, until `mend()`. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** Runs before a piece of what the service sends goes on to the server; the piece waits for it. */
export type BeforeSending = (text: string) => void | Promise<void>;

export async function startPostgresProxy(
  databaseUrl: string,
  beforeSending: BeforeSending = () => {},
): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isCut = false;

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    socket.on('error', () => {});
    return socket.once('close', () => sockets.delete(socket));
  }

  const server = createServer((fromService) => {
    keep(fromService);
    if (isCut) return void fromService.resetAndDestroy();
    const toServer = keep(connect(Number(target.port), target.hostname));
    void send(fromService, toServer, beforeSending);
    void send(toServer, fromService, () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);

  function cut(): void {
    isCut = true;
    for (const socket of sockets) socket.resetAndDestroy();
  }

  return {
    url: url.href,
    cut,
    mend() {
      isCut = false;
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function send(from: Socket, to: Socket, before: BeforeSending): Promise<void> {
  try {
    for await (const piece of from) {
      await before((piece as Buffer).toString('latin1'));
      to.write(piece);
    }
  } catch {
    // Reset; the other side is told below.
  }
  to.destroy();
}
