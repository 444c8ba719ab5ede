import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type EnvironmentVariables, SettingError } from '../settings/setting-reader.ts';
import type { Settings } from '../settings/settings.ts';
import { findHome, type Home, type StartPlace, sourcesFolder } from './node-home.ts';
import { gatewayCommandAnywhere } from './node-printed-commands.ts';

/** The home that this process has entered. */
export interface EnteredHome {
  readonly variables: EnvironmentVariables;
  /** As in `Home`. */
  readonly isFolderless: boolean;
  /** A path relative to the home, as it reads from the folder where the program was started. */
  shown(path: string): string;
  /** The home and all folders with files, in one line. */
  files(settings: Settings): string;
  /** What people type for the `svc-mcp` command; valid once the admin socket is open. */
  gatewayCommand(): string;
}

export function readStartPlace(): StartPlace {
  return { environment: process.env, directory: process.cwd(), sources: sourcesFolder };
}

/**
 * Makes the home the working directory, so that relative paths in settings, in registration configs and in arguments of
 * servers count from there, wherever the program was started.
 */
export function enterHome(): EnteredHome {
  const where = readStartPlace();
  const home: Home = findHome(where);
  const { folder, variables, isFolderless } = home;
  if (folder !== where.directory && !isFolderless) enter(folder);
  const shown = (path: string) => (folder === where.directory ? path : resolve(folder, path));
  return {
    variables,
    isFolderless,
    shown,
    files({ dataDir, groupsDir, configsDir }) {
      if (isFolderless) return 'none: groups and servers come from the database';
      const inside = [
        join(folder, '.env'),
        ...[groupsDir, configsDir, dataDir].map((path) => resolve(folder, path)),
      ];
      return `${folder} (${inside.map((path) => withinFolder(folder, path)).join(', ')})`;
    },
    gatewayCommand: () => gatewayCommandAnywhere(home, where),
  };
}

function enter(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    process.chdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingError('GATEWAY_HOME', `the folder ${folder} cannot be made or entered (${code})`);
  }
}

function withinFolder(folder: string, path: string): string {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}
