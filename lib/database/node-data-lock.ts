/**
 * Prevents two processes from using one data directory: PGlite does not, and they would lose each other's rows. A lock
 * is a file that names its holder by process id and start time, which distinguishes the lock of a killed process from
 * one whose process id was reused.
 *
 * A lock file appears complete (written aside, then linked) and only its holder removes it. To replace the lock of a
 * dead holder, a process must first hold a lock on exactly that replacement, whose name contains the dead lock's token:
 * of several processes that find the same stale lock, one removes it, once.
 */

import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pause } from '../async/wait.ts';

export interface DataLock {
  release(): Promise<void>;
}

interface Holder {
  readonly pid: number;
  readonly startedAt: string;
  readonly token: string;
}

/** Rejects with a sentence for a person when another process holds the lock. The directory must exist. */
export async function lockDataDir(directory: string): Promise<DataLock> {
  const path = join(directory, 'lock');
  const holder = { pid: process.pid, startedAt: await readStartTime(process.pid), token: randomUUID() };
  const other = await acquire(path, holder);
  if (other) {
    throw new Error(
      `DATA_DIR ${directory} is in use by process ${other.pid}; ` +
        'roles split over processes need a DATA_DIR each and one DATABASE_URL for all.',
    );
  }
  return {
    async release() {
      if ((await read(path))?.token === holder.token) await rm(path, { force: true });
    },
  };
}

/** Resolves with undefined when `holder` has the lock now, else with the living process that has it. */
async function acquire(path: string, holder: Holder): Promise<Holder | undefined> {
  while (true) {
    if (await place(path, holder)) return undefined;
    const found = await read(path);
    if (!found) continue;
    if (await isAlive(found)) return found;
    await replaceStale(path, found);
  }
}

async function replaceStale(path: string, stale: Holder): Promise<void> {
  const guard = `${path}.${stale.token}`;
  const guardian = { pid: process.pid, startedAt: await readStartTime(process.pid), token: randomUUID() };
  if (await acquire(guard, guardian)) {
    // Another process is replacing the lock at this moment, which takes no longer than this.
    await pause(20);
    return;
  }
  const found = await read(path);
  if (found?.token === stale.token) await rm(path, { force: true });
  await rm(guard, { force: true });
}

/** False when the path exists. */
async function place(path: string, holder: Holder): Promise<boolean> {
  const aside = `${path}.new-${holder.token}`;
  await writeFile(aside, JSON.stringify(holder), { mode: 0o600 });
  try {
    await link(aside, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

/** Undefined when the file is gone. An unreadable one (a power cut) has no living holder. */
async function read(path: string): Promise<Holder | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    const { pid, startedAt, token } = JSON.parse(text) as Holder;
    if (Number.isInteger(pid) && /^[0-9a-f-]{36}$/.test(token)) return { pid, startedAt, token };
  } catch {}
  return { pid: 0, startedAt: '', token: 'unreadable' };
}

async function isAlive({ pid, startedAt }: Holder): Promise<boolean> {
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process lives and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return (await readStartTime(pid)) === startedAt;
}

/** Start time in clock ticks since boot, with the boot's id; empty where there is no /proc. */
async function readStartTime(pid: number): Promise<string> {
  try {
    const [stat, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ]);
    // The program's name stands in parentheses and may contain anything; 20 fields after it is the start time.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return `${boot.trim()}/${ticks}`;
  } catch {
    return '';
  }
}
