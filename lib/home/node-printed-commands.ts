import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { createSettingReader } from '../settings/setting-reader.ts';
import { shellVariable, shellWords } from '../text/shell-words.ts';
import { dataDirOf, findServedHome, type Home, type Whereabouts } from './node-home.ts';

/**
 * What people type for the `gateway` command in any terminal of this machine to reach the service that lives in `home`: its
 * setting `GATEWAY_COMMAND`, or the program by its whole path, with what it does not find out by itself before it.
 * `npx gateway` would run a stranger's package wherever ours is not installed.
 */
export function gatewayCommandAnywhere(home: Home, where: Whereabouts): string {
  return namedCommand(home) ?? prefixed(variablesFor(home, where), [nodeWord(where), programOf(where)]);
}

/** The same as it is typed in the working directory, where shorter forms may do. */
export function gatewayCommandHere(home: Home, where: Whereabouts): string {
  const { environment, directory } = where;
  const known = ['GATEWAY_HOME', 'DATA_DIR'].flatMap((name) => {
    const path = environment[name]?.trim();
    return path ? [shellVariable(name, resolve(directory, path))] : [];
  });
  return namedCommand(home) ?? prefixed(known, shortWords(where));
}

/** What people type in any terminal of this machine to start the service. */
export function startCommandAnywhere(where: Whereabouts): string {
  return shellWords([nodeWord(where), join(where.sources, 'bin', 'server.js')]);
}

/** The same as it is typed in the working directory. */
export function startCommandHere(where: Whereabouts): string {
  return where.directory === where.sources ? 'npm start' : startCommandAnywhere(where);
}

function namedCommand({ variables }: Home): string | undefined {
  return createSettingReader(variables).optionalText('GATEWAY_COMMAND');
}

function prefixed(variables: readonly string[], words: readonly string[]): string {
  return [...variables, shellWords(words)].join(' ');
}

/** A terminal has the user's own variables, and nothing of the service's. */
function variablesFor(home: Home, { environment, sources }: Whereabouts): string[] {
  const { HOME, XDG_STATE_HOME } = environment;
  const found = findServedHome({ environment: { HOME, XDG_STATE_HOME }, directory: '/', sources });
  if (dataDirOf(found) === dataDirOf(home)) return [];
  const variables = found.folder === home.folder ? [] : [shellVariable('GATEWAY_HOME', home.folder)];
  const isDataElsewhere = (environment.DATA_DIR ?? '').trim() !== '';
  return isDataElsewhere ? [...variables, shellVariable('DATA_DIR', dataDirOf(home))] : variables;
}

function shortWords(where: Whereabouts): string[] {
  const program = programOf(where);
  const folders = (where.environment.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  // Those of node_modules/.bin are there only while npm runs something.
  const isInstalled = folders.some(
    (folder) => !folder.endsWith(join('node_modules', '.bin')) && isSame(join(folder, 'gateway'), program),
  );
  if (isInstalled) return ['gateway'];
  return isNpxOurs(where.directory, where.sources, program) ? ['npx', 'gateway'] : [nodeWord(where), program];
}

/** Npx looks for the nearest folder with a package, takes a program of that package, or one that is installed in it. */
function isNpxOurs(directory: string, sources: string, program: string): boolean {
  const isPackage = [join(directory, 'package.json'), join(directory, 'node_modules')].some(existsSync);
  if (isPackage)
    return directory === sources || isSame(join(directory, 'node_modules/.bin/gateway'), program);
  return dirname(directory) !== directory && isNpxOurs(dirname(directory), sources, program);
}

/** `node` where a terminal with this PATH finds the one that we run on, else its path. */
function nodeWord({ environment }: Whereabouts): string {
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const first = folders.map((folder) => join(folder, 'node')).find(isExecutable);
  return first !== undefined && isSame(first, process.execPath) ? 'node' : process.execPath;
}

function programOf({ sources }: Whereabouts): string {
  return join(sources, 'bin', 'gateway.js');
}

function isSame(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
