import { accessSync, constants, existsSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { createSettingReader } from '../settings/setting-reader.ts';
import { shellVariable, shellWords } from '../text/shell-words.ts';
import { dataDirOf, findServedHome, type Home, isPackage, type StartPlace } from './node-home.ts';
import { programName } from './node-own-program.ts';

/**
 * What people type for the `svc-mcp` command in any terminal of this machine to reach the service of `home`: the setting
 * `GATEWAY_COMMAND`, or the program with the folders that it cannot find out by itself. The program is named by its
 * whole path, unless it is installed where a shell finds it, or npx fetches it from a registry: elsewhere `npx svc-mcp` would
 * run another copy.
 */
export function gatewayCommandAnywhere(home: Home, where: StartPlace): string {
  return namedCommand(home) ?? withPlaces(programWords(where), placesToName(home, where));
}

/** The same for the working directory, where a shorter form may be enough. */
export function gatewayCommandHere(home: Home, where: StartPlace): string {
  const { environment, directory } = where;
  const given = (path: string | undefined) => (path?.trim() ? resolve(directory, path.trim()) : undefined);
  const places = { home: given(environment.GATEWAY_HOME), dataDir: given(environment.DATA_DIR) };
  return namedCommand(home) ?? withPlaces(shortWords(where), places);
}

/** What people type in any terminal of this machine to start the service. */
export function startCommandAnywhere(where: StartPlace): string {
  if (isPackage(where.sources)) return shellWords([...programWords(where), 'start']);
  return shellWords([nodeWord(where), join(where.sources, 'bin', 'server.js')]);
}

/** The same for the working directory. */
export function startCommandHere(where: StartPlace): string {
  if (isPackage(where.sources)) return shellWords([...shortWords(where), 'start']);
  return where.directory === where.sources ? 'npm start' : startCommandAnywhere(where);
}

function namedCommand({ variables }: Home): string | undefined {
  return createSettingReader(variables).optionalText('GATEWAY_COMMAND');
}

interface Places {
  readonly home: string | undefined;
  readonly dataDir: string | undefined;
}

function withPlaces(program: readonly string[], { home, dataDir }: Places): string {
  const variables = dataDir === undefined ? [] : [shellVariable('DATA_DIR', dataDir)];
  return [...variables, shellWords(home === undefined ? program : [...program, '--data', home])].join(' ');
}

/** A terminal has the variables of the user, and none of the service. */
function placesToName(home: Home, { environment, sources }: StartPlace): Places {
  const { HOME, XDG_STATE_HOME } = environment;
  const found = findServedHome({ environment: { HOME, XDG_STATE_HOME }, directory: '/', sources });
  if (dataDirOf(found) === dataDirOf(home)) return { home: undefined, dataDir: undefined };
  const isDataElsewhere = (environment.DATA_DIR ?? '').trim() !== '';
  return {
    home: found.folder === home.folder ? undefined : home.folder,
    dataDir: isDataElsewhere ? dataDirOf(home) : undefined,
  };
}

function shortWords(where: StartPlace): readonly string[] {
  if (isInstalled(where)) return [programName];
  if (nearestProgram(where.directory, where.sources) === 'ours') return ['npx', programName];
  return programWords(where);
}

function programWords(where: StartPlace): readonly string[] {
  if (isInstalled(where)) return [programName];
  const requested = requestedOfNpx(where.sources);
  if (requested !== undefined && nearestProgram(where.directory, where.sources) !== 'another')
    return ['npx', requested];
  return [nodeWord(where), programOf(where)];
}

/** Folders of node_modules/.bin are in PATH only while npm runs a script. */
function isInstalled(where: StartPlace): boolean {
  return foldersOfPath(where).some(
    (folder) =>
      !folder.endsWith(join('node_modules', '.bin')) && isSame(join(folder, programName), programOf(where)),
  );
}

/**
 * What was typed after `npx` where npx has fetched this program into its cache: the same words take it from there again.
 * Undefined for a file or a folder, whose name npx takes for another one in another folder.
 */
function requestedOfNpx(sources: string): string | undefined {
  const cache = dirname(dirname(sources));
  if (!/\/_npx\/[^/]+$/.test(cache)) return undefined;
  try {
    const { _npx } = JSON.parse(readFileSync(join(cache, 'package.json'), 'utf8'));
    return [_npx.packages].flat().find((one) => /^svc-mcp(@[\w.^~-]+)?$/.test(String(one)));
  } catch {
    return undefined;
  }
}

/**
 * Whose `svc-mcp` npx runs: it takes the nearest folder with a package, and a program of that package, or one that is
 * installed in it. Undefined: none is there.
 */
function nearestProgram(directory: string, sources: string): 'ours' | 'another' | undefined {
  const program = join(directory, 'node_modules/.bin', programName);
  if (directory === sources || isSame(program, programOf({ sources }))) return 'ours';
  const isPackageHere = [join(directory, 'package.json'), join(directory, 'node_modules')].some(existsSync);
  if (isPackageHere) return existsSync(program) ? 'another' : undefined;
  return dirname(directory) === directory ? undefined : nearestProgram(dirname(directory), sources);
}

/** `node` where a terminal with this PATH finds the Node that runs this program, else its path. */
function nodeWord(where: StartPlace): string {
  const first = foldersOfPath(where)
    .map((folder) => join(folder, 'node'))
    .find(isExecutable);
  return first !== undefined && isSame(first, process.execPath) ? 'node' : process.execPath;
}

function foldersOfPath({ environment }: StartPlace): string[] {
  return (environment.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
}

function programOf({ sources }: Pick<StartPlace, 'sources'>): string {
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
