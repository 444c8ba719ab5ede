import { array, integer, literal, optional, string, type } from 'superstruct';
import { Failure } from '../../failure.ts';
import { about, type ValueOf } from '../../json/json-schema.ts';

/** `details` of `data_at_risk`. */
export const DataAtRisk = type({
  paths: about(array(string()), 'Paths inside the container: of files the first ones, of volumes all.'),
  count: about(integer(), 'How many files, or volumes.'),
  needs_admin: optional(about(literal(true), 'Asking with `discard_data` does not help.')),
});
export type DataAtRisk = ValueOf<typeof DataAtRisk>;

/** Files that a person or the server put into the writable layer of its container. */
export interface LayerData {
  /** The first of those files. */
  readonly paths: readonly string[];
  readonly count: number;
}

const mostPaths = 20;
const caches = new Set(['.cache', '.npm', '__pycache__']);
const throwAway = [
  ...['/tmp', '/var/tmp', '/run', '/var/run', '/var/cache', '/var/log', '/var/lock', '/dev', '/proc', '/sys'],
  ...['/etc/hosts', '/etc/hostname', '/etc/resolv.conf', '/etc/mtab', '/.dockerenv'],
  // The init that the engine provides.
  '/sbin/docker-init',
];

/**
 * Of the paths that differ from a container's image, those that look like data: the engine also lists the folders above
 * each changed file, and temporary files are no loss. Undefined: there is none.
 * @param mounted Paths of mounts: the folders that the engine created for them are not data.
 */
export function layerData(
  changed: readonly string[],
  mounted: readonly string[] = [],
): LayerData | undefined {
  const folders = new Set([...changed, ...mounted].flatMap(foldersAbove));
  const isMounted = (path: string) => mounted.some((mount) => isWithin(path, mount));
  const paths = changed.filter((path) => !folders.has(path) && !isMounted(path) && !isThrowAway(path)).sort();
  return paths.length === 0 ? undefined : { paths: paths.slice(0, mostPaths), count: paths.length };
}

function foldersAbove(path: string): string[] {
  const segments = path.split('/').slice(1, -1);
  return segments.map((_, at) => `/${segments.slice(0, at + 1).join('/')}`);
}

function isThrowAway(path: string): boolean {
  if (path.split('/').some((segment) => caches.has(segment))) return true;
  return throwAway.some((folder) => isWithin(path, folder));
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The sentences about data that would be lost, and about the option that allows it. */

const mostNamed = 3;

export const howToDiscard = '`"discard_data": true`, or `--discard-data` on the command line';

/** @param act The operation that would lose data, such as "Another config". */
export function layerAtRisk(server: string, layer: LayerData, act: string): Failure {
  const details: DataAtRisk = { paths: layer.paths, count: layer.count };
  return new Failure('data_at_risk', `${layerSentence(server, layer, act)} To lose that: ${howToDiscard}.`, {
    details,
  });
}

/** Why an outdated container continues to run. */
export function keptForItsLayer(server: string, layer: LayerData): string {
  const reason = 'its changed config or secret needs another container';
  const loss = `what this one keeps outside of volumes would be lost: ${named(layer)}`;
  return `\`${server}\` runs on as it was: ${reason}, and ${loss}. To lose that, restart it: the page asks; elsewhere say ${howToDiscard}.`;
}

export function keptForItsSuccessor(server: string): string {
  return `The container in the place of that of \`${server}\` did not answer, so the one before runs on; see its log, and restart it to try again.`;
}

/**
 * @param paths Paths inside the container, of volumes that another image wrote.
 * @param isListed The server is registered: `discard_data` does not apply then.
 */
export function volumesAtRisk(server: string, paths: readonly string[], isListed: boolean): Failure {
  const volumes = `The volumes of \`${server}\` (${named({ paths, count: paths.length })}) hold what another image wrote there`;
  const remedy = isListed
    ? 'replace it with administration rights to keep them, or delete the server first, to lose them'
    : `register that image again to keep them. To lose them: ${howToDiscard}`;
  const details: DataAtRisk = { paths, count: paths.length, ...(isListed ? { needs_admin: true } : {}) };
  return new Failure('data_at_risk', `${volumes}: ${remedy}.`, { details });
}

function layerSentence(server: string, layer: LayerData, act: string): string {
  return `${act} needs another container for \`${server}\`, and what it keeps outside of volumes would be lost: ${named(layer)}.`;
}

function named({ paths, count }: LayerData): string {
  const first = paths.slice(0, mostNamed).join(', ');
  return count > mostNamed ? `${first} and ${count - mostNamed} more` : first;
}
