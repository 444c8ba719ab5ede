import { accessSync, constants, existsSync, type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type EnvironmentVariables, SettingError } from '../settings/setting-reader.ts';
import { isFolderless } from './node-folderless.ts';
import { readEnvFile } from './node-variables.ts';

/** The folder of an installation, and its settings: docs/decisions/0019 says which folder that is, and why. */
export interface Home {
  /** Absolute. Has `.env`, `.data`, `groups` and `configs`, unless settings name other places. */
  readonly folder: string;
  /** The environment over the variables of `.env`. Paths are absolute, or relative to `folder`. */
  readonly variables: EnvironmentVariables;
  /** Nothing is read or written in it but `.env`; it may be read-only, or not exist. */
  readonly isFolderless: boolean;
}

/** Where and how this program was started: decides which folder is its home. */
export interface StartPlace {
  readonly environment: EnvironmentVariables;
  /** Working directory. */
  readonly directory: string;
  /** The folder of this program. */
  readonly sources: string;
}

interface Candidate {
  readonly folder: string;
  /** The folder stores what cannot be stored beside the sources, so `.env` of the sources counts too, below its own. */
  readonly isOfSources: boolean;
  /** Folders with groups and configs may be read-only. */
  readonly isGiven: boolean;
}

const folderSettings = { DATA_DIR: '.data', GROUPS_DIR: 'groups', CONFIGS_DIR: 'configs' } as const;
const pathSettings = [...Object.keys(folderSettings), 'SECRETS_FILE', 'REGISTRY_CONFIG', 'DOCKER_CONFIG'];

/** The folder with `bin/`, `lib/` and `static/`. */
export const sourcesFolder = fileURLToPath(new URL('../..', import.meta.url)).replace(/(?<=.)\/$/, '');

/** Whether that is a package, which an update replaces, and not a checkout. */
export function isPackage(sources: string): boolean {
  return sources.includes('/node_modules/');
}

/**
 * The home of a service that is started here. Creates nothing.
 * @throws SettingError when there is no folder that this user may write.
 */
export function findHome(where: StartPlace): Home {
  const all = candidates(where);
  const found = all.find((candidate) => isUsable(candidate, where));
  if (found !== undefined) return toHome(found, where);
  const tried = all.map(({ folder }) => folder);
  throw new SettingError(
    'GATEWAY_HOME',
    `must name a folder that ${userName()} may write, for data, groups and configs, as \`--data\` does; ` +
      `tried ${tried.join(', ')}`,
  );
}

/** The home of the running service: the first one with an admin socket, else where a service would start. */
export function findServedHome(where: StartPlace): Home {
  const all = candidates(where);
  const homes = all.map((candidate) => toHome(candidate, where));
  const served = homes.find((home) => existsSync(join(dataDirOf(home), 'admin.sock')));
  const usable = all.findIndex((candidate) => isUsable(candidate, where));
  const home = served ?? homes[usable] ?? homes[0];
  if (home === undefined) throw new Error('There is always a candidate.');
  return home;
}

function candidates({ environment, directory, sources }: StartPlace): Candidate[] {
  const named = textOf(environment.GATEWAY_HOME);
  if (named !== undefined) {
    return [{ folder: resolve(directory, named), isOfSources: false, isGiven: true }];
  }
  const ofSystemd = textOf(environment.STATE_DIRECTORY)?.split(':')[0];
  const isCheckout = !isPackage(sources);
  const found: Candidate[] = [];
  if (isCheckout && directory === sources) {
    found.push({ folder: sources, isOfSources: true, isGiven: true });
  } else if (isHome(directory)) {
    found.push({ folder: directory, isOfSources: false, isGiven: true });
  }
  if (ofSystemd !== undefined) found.push({ folder: ofSystemd, isOfSources: true, isGiven: false });
  if (isCheckout) found.push({ folder: sources, isOfSources: true, isGiven: false });
  const state = stateFolder(environment);
  if (state !== undefined) found.push({ folder: state, isOfSources: true, isGiven: false });
  return found.length > 0 ? found : [{ folder: sources, isOfSources: true, isGiven: false }];
}

/** Not a folder that another user owns, or that every user may write: they would decide what runs here. */
function isHome(directory: string): boolean {
  const folders = [directory, join(directory, 'groups'), join(directory, 'configs')];
  return folders.every((folder) => isFolder(folder) && isTrusted(statSync(folder)));
}

function isTrusted({ uid, mode }: Stats): boolean {
  return (mode & 0o002) === 0 && (uid === 0 || process.getuid === undefined || uid === process.getuid());
}

/** Follows the XDG base directory specification. */
function stateFolder({ XDG_STATE_HOME, HOME }: EnvironmentVariables): string | undefined {
  const state = textOf(XDG_STATE_HOME);
  if (state !== undefined && isAbsolute(state)) return join(state, 'svc-mcp');
  const home = textOf(HOME) ?? homeOfUser();
  return home !== undefined && isAbsolute(home) ? join(home, '.local', 'state', 'svc-mcp') : undefined;
}

/** Whether the folders that no setting names can be made and written; the others are checked when they are used. */
function isUsable(candidate: Candidate, where: StartPlace): boolean {
  const { folder, variables, isFolderless } = toHome(candidate, where);
  if (isFolderless) return true;
  return Object.entries(folderSettings).every(([name, fallback]) => {
    if (textOf(variables[name]) !== undefined) return true;
    const path = join(folder, fallback);
    return isWritable(path) || (name !== 'DATA_DIR' && candidate.isGiven && isFolder(path));
  });
}

function toHome({ folder, isOfSources }: Candidate, { environment, directory, sources }: StartPlace): Home {
  const below =
    isOfSources && folder !== sources ? withAbsolutePaths(readEnvFile(join(sources, '.env')), sources) : {};
  const own = readEnvFile(join(folder, '.env'));
  const above = directory === folder ? environment : withAbsolutePaths(environment, directory);
  const variables = { ...below, ...own, ...above };
  return { folder, variables, isFolderless: isFolderless(variables, folder) };
}

/** The same variables with relative paths made absolute, from `base`. */
function withAbsolutePaths(variables: EnvironmentVariables, base: string): EnvironmentVariables {
  const paths = pathSettings.flatMap((name) => {
    const path = textOf(variables[name]);
    return path === undefined ? [] : [[name, resolve(base, path)] as const];
  });
  return { ...variables, ...Object.fromEntries(paths) };
}

export function dataDirOf({ folder, variables }: Home): string {
  return resolve(folder, textOf(variables.DATA_DIR) ?? folderSettings.DATA_DIR);
}

/** A path that does not exist counts as writable if it can be made. */
function isWritable(path: string): boolean {
  if (!existsSync(path)) return dirname(path) !== path && isWritable(dirname(path));
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return isFolder(path);
  } catch {
    return false;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function textOf(value: string | undefined): string | undefined {
  const text = value?.trim();
  return text === '' ? undefined : text;
}

/** Containers may run as users without an entry in the user database. */
function homeOfUser(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}

function userName(): string {
  try {
    return `the user ${userInfo().username}`;
  } catch {
    return `the user with id ${process.getuid?.() ?? '?'}`;
  }
}
