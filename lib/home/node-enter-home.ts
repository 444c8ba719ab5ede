import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type EnvironmentVariables, SettingError } from '../settings/setting-reader.ts';
import type { Settings } from '../settings/settings.ts';
import { findHome, type Home, sourcesFolder, type Whereabouts } from './node-home.ts';
import { gatewayCommandAnywhere } from './node-printed-commands.ts';

/** The home that this process has entered. */
export interface EnteredHome {
  readonly variables: EnvironmentVariables;
  /** Of a path that counts from here: as people find it who stand where they started this. */
  shown(path: string): string;
  /** All places with files of people or ours. */
  files(settings: Settings): string;
  /** What people type for the `gateway` command; ask when the admin socket is open. */
  gatewayCommand(): string;
}

/** Where this process was started, and from which sources. */
export function readWhereabouts(): Whereabouts {
  return { environment: process.env, directory: process.cwd(), sources: sourcesFolder };
}

/**
 * Makes the home its working directory, so that relative paths in settings, in registration configs and of what servers
 * are given count from there, wherever it was started.
 */
export function enterHome(): EnteredHome {
  const where = readWhereabouts();
  const home: Home = findHome(where);
  const { folder, variables } = home;
  if (folder !== where.directory) enter(folder);
  const shown = (path: string) => (folder === where.directory ? path : resolve(folder, path));
  return {
    variables,
    shown,
    files({ dataDir, groupsDir, configsDir }) {
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
