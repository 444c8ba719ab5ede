/** Files that somebody or the server put into the writable layer of its container. */
export interface LayerData {
  /** The first of them. */
  readonly paths: readonly string[];
  readonly count: number;
}

const mostPaths = 20;
const caches = new Set(['.cache', '.npm', '__pycache__']);
const throwAway = [
  ...['/tmp', '/var/tmp', '/run', '/var/run', '/var/cache', '/var/log', '/var/lock', '/dev', '/proc', '/sys'],
  ...['/etc/hosts', '/etc/hostname', '/etc/resolv.conf', '/etc/mtab', '/.dockerenv'],
  // The init that the engine lends.
  '/sbin/docker-init',
];

/**
 * Of the paths that differ from a container's image those that look like data: the engine also names the folders above
 * each changed file, and what programs throw away by themselves is nobody's loss. Undefined: there is none.
 * @param mounted Paths at which something is mounted: the folders that the engine made for that are not data.
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
