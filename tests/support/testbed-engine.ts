/** The engine itself, where the test bed started it: ended and started again as it was. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from './wait-until.ts';

const stateDir = process.env.TESTBED_DIR ?? join(tmpdir(), 'mcp-testbed');
const pidFile = join(stateDir, 'dockerd.pid');

/** Whether the engine is the test bed's own; any other one is not ours to restart. */
export function isOwnEngine(): boolean {
  return existsSync(pidFile) && isAlive(readPid());
}

/** Resolves once it accepts requests again. `downMs`: how long it stays away. */
export async function restartEngine(downMs: number, ping: () => Promise<unknown>): Promise<void> {
  const pid = readPid();
  const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  process.kill(pid, 'SIGTERM');
  await waitUntil('the engine has ended', () => !isAlive(pid), { limitMs: 30_000 });
  await new Promise((resolve) => setTimeout(resolve, downMs));
  const log = openSync(join(stateDir, 'dockerd.log'), 'a');
  const child = spawn(program, args, { detached: true, stdio: ['ignore', log, log] });
  child.unref();
  closeSync(log);
  writeFileSync(pidFile, `${child.pid}\n`);
  await waitUntil('the engine answers', () => ping().then(() => true), { limitMs: 60_000 });
}

function readPid(): number {
  return Number(readFileSync(pidFile, 'utf8'));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
