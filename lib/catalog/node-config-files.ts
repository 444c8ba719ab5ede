import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder, removeDurably, writeDurably } from '../files/node-durable-file.ts';
import { type FileContent, readRegularFile } from '../files/node-regular-file.ts';
import { watchFolder } from '../files/node-watch-folder.ts';
import { Failure } from '../http/failure.ts';
import type { ConfigFile, ConfigFiles, Undo } from './config-files.ts';
import { maxConfigFileBytes, parseConfigFile, printConfigFile } from './parse-config-file.ts';

/**
 * Registration configs in a folder of this machine. Reading never creates the folder: a missing one (an
 * unmounted volume) must stay told apart from an empty one.
 */
export function createConfigFiles(options: { readonly directory: string }): ConfigFiles {
  const { directory } = options;
  const pathOf = (name: string) => join(directory, `${name}.json`);
  const read = (name: string) => readRegularFile(pathOf(name), maxConfigFileBytes);

  return {
    async readAll() {
      const names = await namesIn(directory);
      if (!names) return undefined;
      const files = await Promise.all(
        names.map(async (name) => [name, toConfigFile(name, await read(name))] as const),
      );
      return new Map(files.filter((entry): entry is [string, ConfigFile] => entry[1] !== undefined));
    },
    createFolder: () => createFolder(directory),
    async write(config) {
      const undo = undoOf(pathOf(config.name), await read(config.name));
      await writeDurably(pathOf(config.name), printConfigFile(config));
      return undo;
    },
    async remove(name) {
      const before = await read(name);
      const undo = before.kind === 'unusable' ? async () => {} : undoOf(pathOf(name), before);
      if (before.kind !== 'absent') await removeDurably(pathOf(name));
      return undo;
    },
    watch: (onChange) => watchFolder({ folder: directory, onChange }),
  };
}

/** Names by listing, so that they are exact on file systems that ignore case. Hidden files are editors' own. */
async function namesIn(directory: string): Promise<string[] | undefined> {
  try {
    const entries = await readdir(directory);
    return entries
      .filter((entry) => entry.endsWith('.json') && !entry.startsWith('.'))
      .map((entry) => entry.slice(0, -'.json'.length))
      .sort();
  } catch {
    return undefined;
  }
}

/** Undefined: it went away between listing and reading. */
function toConfigFile(name: string, content: FileContent): ConfigFile | undefined {
  if (content.kind === 'absent') return undefined;
  if (content.kind === 'unusable') return { problem: content.problem, references: [] };
  return parseConfigFile(name, content.text);
}

function undoOf(path: string, before: FileContent): Undo {
  if (before.kind === 'text') return () => writeDurably(path, before.text);
  if (before.kind === 'absent') return () => removeDurably(path);
  throw new Failure(
    'storage_failed',
    'The config file of this server cannot be replaced: it is not a regular file.',
  );
}
