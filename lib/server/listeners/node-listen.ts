import { chmodSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { yieldToEventLoop } from '../../async/wait.ts';
import { SettingError } from '../../settings/setting-reader.ts';

/** Listens, or says which setting to change. @returns the base address, with the port that was free for port 0 */
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
 * Listens on the admin socket, for its owner only. The caller holds the lock of `DATA_DIR`, so a socket that is
 * there already was left by a process that is gone.
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
    // It stays: a connection that cannot be accepted, for want of file descriptors, must not end the process.
    server.on('error', (error) => reject(explain(error)));
    listen(resolve);
  });
}

/** A wildcard address is no address to visit. */
export function hostToVisit(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}

function shownHost({ address }: AddressInfo): string {
  const host = hostToVisit(address);
  return host.includes(':') ? `[${address}]` : host;
}

/**
 * Ends a server: no new connections, busy ones when they are done. A connection that was busy at the call and is kept
 * alive by its client would hold the server open for seconds, so idle ones are closed again and again.
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
 * Clients that the system has connected, and that Node has not accepted yet, are cut off when a server closes. Node
 * accepts one of each server in a turn of the loop, so this waits until there was none for a turn, but not for long.
 */
export async function untilAllAreApproved(servers: readonly Server[]): Promise<void> {
  let isAccepting = true;
  const note = () => {
    isAccepting = true;
  };
  const deadline = performance.now() + longestAcceptingMs;
  for (const server of servers) server.on('connection', note);
  // The first turn may be over already.
  await yieldToEventLoop();
  while (isAccepting && performance.now() < deadline) {
    isAccepting = false;
    await yieldToEventLoop();
  }
  for (const server of servers) server.off('connection', note);
}
