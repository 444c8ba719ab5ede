import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { waitUntil } from './wait-until.ts';

/** Clients that open connections, ask for nothing in full, and never close: processes of their own, for descriptors. */
export interface StubbornClients {
  /** Connections that the other side has not ended. */
  open(): number;
  /** How often one was opened. */
  opened(): number;
  stop(): void;
}

export interface StubbornOptions {
  readonly port: number;
  readonly count: number;
  /** What each sends. */
  readonly text: string;
  /** Whether one that was ended is opened again. */
  readonly again?: boolean;
}

interface Told {
  readonly open: number;
  readonly opened: number;
}

const mostEach = 750;
const child = fileURLToPath(new URL('stubborn-child.mjs', import.meta.url));

/** Resolves once each was opened. */
export async function startStubbornClients(options: StubbornOptions): Promise<StubbornClients> {
  const { port, count, text, again = false } = options;
  const told = new Map<ChildProcess, Told>();
  for (let left = count; left > 0; left -= mostEach) {
    const one = fork(child, [JSON.stringify([port, Math.min(left, mostEach), text, again])]);
    told.set(one, { open: 0, opened: 0 });
    one.on('message', (message) => told.set(one, message as Told));
  }
  const sum = (member: keyof Told) => [...told.values()].reduce((total, one) => total + one[member], 0);
  const stop = () => {
    for (const one of told.keys()) one.kill('SIGKILL');
  };
  const clients = { open: () => sum('open'), opened: () => sum('opened'), stop };
  await waitUntil('all were opened', () => clients.opened() >= count, { limitMs: 60_000 }).catch((error) => {
    stop();
    throw error;
  });
  return clients;
}
