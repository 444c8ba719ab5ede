import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFile, replaceFile } from '../files/node-durable-file.ts';
import { listJsonNames } from '../files/node-json-names.ts';
import { removeOldLeftovers } from '../files/node-leftovers.ts';
import { type FileContent, readRegularFile } from '../files/node-regular-file.ts';
import { watchFolder } from '../files/node-watch-folder.ts';
import { writing } from '../files/storage-failed.ts';
import { Failure } from '../http/failure.ts';
import type { Log } from '../observe/log.ts';
import type { ConfigFile, ConfigFiles, Undo } from './config-files.ts';
import { parseConfigFile, printConfigFile } from './parse-config-file.ts';

/**
 * Registration configs in a folder of this machine. Reading never creates the folder: a missing one (an
 * unmounted volume) must stay told apart from an empty one.
 */
export function createConfigFiles(options: { readonly directory: string; readonly log: Log }): ConfigFiles {
  const { directory, log } = options;
  const pathOf = (name: string) => join(directory, `${name}.json`);
  const readFile = (name: string) => readRegularFile(pathOf(name));
  const createFolder = async () => void (await mkdir(directory, { recursive: true }));

  return {
    readAll,
    createFolder: () => writing('The folder of config files', createFolder),
    async write(config) {
      const undo = undoOf(config.name, await readFile(config.name));
      await writing(fileOf(config.name), async () => {
        await createFolder();
        await removeOldLeftovers(pathOf(config.name));
        await replaceFile(pathOf(config.name), printConfigFile(config));
      });
      return undo;
    },
    async remove(name) {
      const before = await readFile(name);
      const undo = before.kind === 'unusable' ? async () => {} : undoOf(name, before);
      if (before.kind !== 'absent') await writing(fileOf(name), () => removeFile(pathOf(name)));
      return undo;
    },
    watch: (onChange) => watchFolder({ folder: directory, onChange, onRescan: onChange, log }),
  };

  async function readAll(): Promise<ReadonlyMap<string, ConfigFile> | undefined> {
    const names = await listJsonNames(directory).catch(() => undefined);
    if (!names) return undefined;
    const files = new Map<string, ConfigFile>();
    const read = async (name: string) => [name, await readFile(name)] as const;
    for (const [name, content] of await Promise.all(names.map(read))) {
      // Gone since it was listed: another listing tells whether the file went, or the whole folder.
      if (content.kind === 'absent') return readAll();
      files.set(name, toConfigFile(name, content));
    }
    return files;
  }

  function undoOf(name: string, before: FileContent): Undo {
    if (before.kind === 'unusable') {
      throw new Failure('storage_failed', `${fileOf(name)} cannot be replaced. ${before.problem}`);
    }
    return () =>
      writing(fileOf(name), async () => {
        if (before.kind === 'text') await replaceFile(pathOf(name), before.text);
        else await removeFile(pathOf(name));
      });
  }
}

function fileOf(server: string): string {
  return `The config file of server \`${server}\``;
}

function toConfigFile(name: string, content: Exclude<FileContent, { kind: 'absent' }>): ConfigFile {
  if (content.kind === 'unusable') return { problem: content.problem, references: [] };
  return parseConfigFile(name, content.text);
}
