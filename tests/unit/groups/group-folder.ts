import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BusMessage } from '../../../lib/events/bus.ts';
import { createLocalBus } from '../../../lib/events/local-bus.ts';
import { createGroupLock } from '../../../lib/groups/files/group-lock.ts';
import { createGroupFiles, type GroupFilesDeps } from '../../../lib/groups/files/node-group-files.ts';
import { silentLog } from '../../../lib/log.ts';

/** A real groups folder in a temporary place, with as many stores on it as a test asks for. */
export async function createGroupFolder() {
  const directory = await mkdtemp(join(tmpdir(), 'groups-'));
  const lock = createGroupLock({ kind: 'pglite', transaction: () => Promise.reject() });
  const stores: { close(): Promise<void> }[] = [];
  const path = (name: string) => join(directory, `${name}.json`);

  async function open(options: Partial<GroupFilesDeps> = {}) {
    const bus = createLocalBus({ log: silentLog });
    const busMessages: BusMessage[] = [];
    bus.subscribe((item) => void busMessages.push(item));
    const groups = createGroupFiles({
      directory,
      defaultGroup: 'default',
      lock,
      bus,
      log: silentLog,
      ...options,
    });
    stores.push(groups);
    await groups.load();
    return { groups, bus, busMessages };
  }

  return {
    directory,
    lock,
    path,
    open,
    files: async () => (await readdir(directory)).sort(),
    text: (name: string) => readFile(path(name), 'utf8'),
    json: async (name: string) => JSON.parse(await readFile(path(name), 'utf8')) as Record<string, unknown>,
    write: (name: string, content: unknown) =>
      writeFile(path(name), typeof content === 'string' ? content : JSON.stringify(content)),
    async close() {
      for (const store of stores) await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export type GroupFolder = Awaited<ReturnType<typeof createGroupFolder>>;

/** An edit that flips one name in `included_tools`. */
export function flip(tool: string) {
  return (group: {
    includedTools: readonly string[];
    includedServers: readonly string[];
    excludedTools: readonly string[];
  }) => ({
    includedTools: group.includedTools.includes(tool)
      ? group.includedTools.filter((name) => name !== tool)
      : [...group.includedTools, tool],
    includedServers: group.includedServers,
    excludedTools: group.excludedTools,
  });
}
