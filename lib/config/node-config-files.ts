import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../failure.ts';
import { isReadOnlyVolume, removeFile, replaceFile, writing } from '../files/node-durable-file.ts';
import { folderIdentity, listJsonNames } from '../files/node-folder.ts';
import { removeOldLeftovers } from '../files/node-leftovers.ts';
import { type FolderFile, readFolderFile } from '../files/node-linked-file.ts';
import { watchFolder } from '../files/node-watch-folder.ts';
import type { Log } from '../log.ts';
import {
  type ConfigFile,
  type ConfigFiles,
  configReadOnly,
  parseConfigFile,
  printConfigFile,
  type Undo,
} from './config-files.ts';

/**
 * Registration configs in a folder of this machine. Reading never creates the folder: a missing one (an unmounted
 * volume) must not look like an empty one.
 */
export interface ConfigFilesOptions {
  readonly directory: string;
  readonly log: Log;
  /** Of configs that set none. */
  readonly callTimeoutMs?: number;
}

export function createConfigFiles(options: ConfigFilesOptions): ConfigFiles {
  const { directory, log } = options;
  const createFolder = async () => void (await mkdir(directory, { recursive: true }));

  return {
    readAll: () => readConfigs(options),
    folder: () => folderIdentity(directory),
    createFolder: () => writing('The folder of config files', createFolder),
    async assertWritable(name, config, secrets = []) {
      const file = await readFolderFile(pathOf(directory, name));
      const isNothingToRemove = config === undefined && file.kind === 'absent';
      if (isLinked(file) || (!isNothingToRemove && (await isReadOnly(directory)))) {
        throw configReadOnly(name, config, secrets);
      }
    },
    async write(config) {
      const path = pathOf(directory, config.name);
      const before = await readFolderFile(path);
      if (isLinked(before)) throw configReadOnly(config.name, config);
      const undo = undoOf(path, config.name, before);
      await writing(fileOf(config.name), async () => {
        await createFolder();
        await removeOldLeftovers(path);
        await replaceFile(path, printConfigFile(config));
      });
      return undo;
    },
    async remove(name) {
      const path = pathOf(directory, name);
      const before = await readFolderFile(path);
      if (isLinked(before)) throw configReadOnly(name);
      const undo = before.kind === 'unusable' ? async () => {} : undoOf(path, name, before);
      if (before.kind !== 'absent') await writing(fileOf(name), () => removeFile(path));
      return undo;
    },
    watch: (onChange) => watchFolder({ folder: directory, onChange, onRescan: onChange, log }),
  };
}

async function readConfigs(
  options: ConfigFilesOptions,
): Promise<ReadonlyMap<string, ConfigFile> | undefined> {
  const { directory, callTimeoutMs } = options;
  const names = await listJsonNames(directory).catch(() => undefined);
  if (!names) return undefined;
  const files = new Map<string, ConfigFile>();
  const read = async (name: string) => [name, await readFolderFile(pathOf(directory, name))] as const;
  for (const [name, content] of await Promise.all(names.map(read))) {
    // Deleted since it was listed: only another listing shows whether the file is gone, or the whole folder.
    if (content.kind === 'absent') return readConfigs(options);
    if (content.kind === 'text') files.set(name, parseConfigFile(name, content.text, callTimeoutMs));
    else files.set(name, { problem: content.problem, references: [] });
  }
  return files;
}

function isLinked(file: FolderFile): boolean {
  return file.kind === 'text' && file.isLink;
}

/** A folder that does not exist yet is made when its first file is written. */
function isReadOnly(directory: string): Promise<boolean> {
  return access(directory, constants.W_OK).then(() => false, isReadOnlyVolume);
}

function pathOf(directory: string, name: string): string {
  return join(directory, `${name}.json`);
}

function fileOf(server: string): string {
  return `The config file of server \`${server}\``;
}

function undoOf(path: string, server: string, before: FolderFile): Undo {
  if (before.kind === 'unusable') {
    throw new Failure('storage_failed', `${fileOf(server)} cannot be replaced. ${before.problem}`);
  }
  const restore = before.kind === 'text' ? () => replaceFile(path, before.text) : () => removeFile(path);
  return () => writing(fileOf(server), async () => void (await restore()));
}
