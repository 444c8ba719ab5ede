import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { createSettingReader } from '../settings/setting-reader.ts';
import { shellVariable, shellWords } from '../text/shell-words.ts';
import { dataDirOf, findServedHome, type Home, type StartPlace } from './node-home.ts';

/**
 * What people type for the `svc-mcp` command in any terminal of this machine to reach the service of `home`: the setting
 * `GATEWAY_COMMAND`, or the whole path of the program, after the variables that it cannot find out by itself.
 * `npx svc-mcp` would run a stranger's package wherever ours is not installed.
 */
export function gatewayCommandAnywhere(home: Home, where: StartPlace): string {
  return namedCommand(home) ?? prefixed(variablesFor(home, where), [nodeWord(where), programOf(where)]);
}

/** The same for the working directory, where a shorter form may be enough. */
export function gatewayCommandHere(home: Home, where: StartPlace): string {
  const { environment, directory } = where;
  const known = ['GATEWAY_HOME', 'DATA_DIR'].flatMap((name) => {
    const path = environment[name]?.trim();
    return path ? [shellVariable(name, resolve(directory, path))] : [];
  });
  return namedCommand(home) ?? prefixed(known, shortWords(where));
}

/** What people type in any terminal of this machine to start the service. */
export function startCommandAnywhere(where: StartPlace): string {
  return shellWords([nodeWord(where), join(where.sources, 'bin', 'server.js')]);
}

/** The same for the working directory. */
export function startCommandHere(where: StartPlace): string {
  return where.directory === where.sources ? 'npm start' : startCommandAnywhere(where);
}

function namedCommand({ variables }: Home): string | undefined {
  return createSettingReader(variables).optionalText('GATEWAY_COMMAND');
}

function prefixed(variables: readonly string[], words: readonly string[]): string {
  return [...variables, shellWords(words)].join(' ');
}

/** A terminal has the variables of the user, and none of the service. */
function variablesFor(home: Home, { environment, sources }: StartPlace): string[] {
  const { HOME, XDG_STATE_HOME } = environment;
  const found = findServedHome({ environment: { HOME, XDG_STATE_HOME }, directory: '/', sources });
  if (dataDirOf(found) === dataDirOf(home)) return [];
  const variables = found.folder === home.folder ? [] : [shellVariable('GATEWAY_HOME', home.folder)];
  const isDataElsewhere = (environment.DATA_DIR ?? '').trim() !== '';
  return isDataElsewhere ? [...variables, shellVariable('DATA_DIR', dataDirOf(home))] : variables;
}

function shortWords(where: StartPlace): string[] {
  const program = programOf(where);
  const folders = (where.environment.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  // Folders of node_modules/.bin are in PATH only while npm runs a script.
  const isInstalled = folders.some(
    (folder) => !folder.endsWith(join('node_modules', '.bin')) && isSame(join(folder, 'svc-mcp'), program),
  );
  if (isInstalled) return ['svc-mcp'];
  return doesNpxFind(where.directory, where.sources, program)
    ? ['npx', 'svc-mcp']
    : [nodeWord(where), program];
}

/** npx takes the nearest folder with a package, and runs a program of that package, or one that is installed in it. */
function doesNpxFind(directory: string, sources: string, program: string): boolean {
  const isPackage = [join(directory, 'package.json'), join(directory, 'node_modules')].some(existsSync);
  if (isPackage)
    return directory === sources || isSame(join(directory, 'node_modules/.bin/svc-mcp'), program);
  return dirname(directory) !== directory && doesNpxFind(dirname(directory), sources, program);
}

/** `node` where a terminal with this PATH finds the Node that runs this program, else its path. */
function nodeWord({ environment }: StartPlace): string {
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const first = folders.map((folder) => join(folder, 'node')).find(isExecutable);
  return first !== undefined && isSame(first, process.execPath) ? 'node' : process.execPath;
}

function programOf({ sources }: StartPlace): string {
  return join(sources, 'bin', 'svc-mcp.js');
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
