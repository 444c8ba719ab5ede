import { chmodSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { yieldToEventLoop } from '../../async/wait.ts';
import { SettingError } from '../../settings/setting-reader.ts';

/** @returns the base address, with the chosen port for port 0. @throws SettingError that names the setting to change. */
export async function listenOnPort(
  server: Server,
  host: string,
  port: number,
  setting: string,
): Promise<string> {
  await listening(
    server,
    (done) => server.listen({ host, port, backlog: 4096 }, done),
    (error) => {
      const reason =
        error.code === 'EADDRINUSE' ? `port ${port} on ${host} is taken` : `cannot listen on ${host}:${port}`;
      return new SettingError(setting, `${reason} (${error.code}); choose another one`);
    },
  );
  const address = server.address() as AddressInfo;
  return `http://${shownHost(address)}:${address.port}`;
}

/** Longest path of a Unix socket that every system takes. */
const longestSocketPath = 100;

/**
 * Listens on the admin socket, for its owner only. The caller holds the lock of `DATA_DIR`, so an existing socket was left
 * by a process that has ended.
 */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  if (Buffer.byteLength(path) > longestSocketPath) {
    throw new SettingError(
      'DATA_DIR',
      `its path is too long for a socket in it (over ${longestSocketPath} bytes)`,
    );
  }
  rmSync(path, { force: true });
  const previous = process.umask(0o177);
  try {
    await listening(
      server,
      (done) => server.listen(path, done),
      (error) => {
        return new SettingError('DATA_DIR', `cannot make the admin socket in it (${error.code})`);
      },
    );
  } finally {
    process.umask(previous);
  }
  chmodSync(path, 0o600);
}

function listening(
  server: Server,
  listen: (done: () => void) => void,
  explain: (error: NodeJS.ErrnoException) => Error,
): Promise<void> {
  return new Promise((resolve, reject) => {
    // Stays for good: a connection that cannot be accepted, for want of file descriptors, must not end the process.
    server.on('error', (error) => reject(explain(error)));
    listen(resolve);
  });
}

/** Clients cannot connect to a wildcard address. */
export function hostToVisit(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}

function shownHost({ address }: AddressInfo): string {
  const host = hostToVisit(address);
  return host.includes(':') ? `[${address}]` : host;
}

/**
 * Accepts no new connections, and resolves when the busy ones are done. A connection that is kept alive by its client would
 * hold the server open for seconds, so idle connections are closed every 25 ms.
 */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), 25);
    server.close(() => {
      clearInterval(sweep);
      resolve();
    });
  });
}

const longestAcceptingMs = 250;

/**
 * A server that closes cuts off clients that the system has connected and Node has not accepted yet. Node accepts one per
 * server and turn of the event loop, so this waits for a turn without a new connection, for 250 ms at most.
 */
export async function untilAllAreAccepted(servers: readonly Server[]): Promise<void> {
  let isAccepting = true;
  const onConnection = () => {
    isAccepting = true;
  };
  const deadline = performance.now() + longestAcceptingMs;
  for (const server of servers) server.on('connection', onConnection);
  // The first turn may be partly over.
  await yieldToEventLoop();
  while (isAccepting && performance.now() < deadline) {
    isAccepting = false;
    await yieldToEventLoop();
  }
  for (const server of servers) server.off('connection', onConnection);
}
