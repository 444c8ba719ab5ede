import type { ContainerMount } from '../containers.ts';

/**
 * Decides which folders of the engine's host, and which volumes of other owners, may be mounted into servers (setting
 * `ALLOWED_MOUNTS`; SECURITY.md, Rights). Works on texts alone; `node-mount-check.ts` resolves links.
 */
export interface MountRules {
  /**
   * Absolute paths, each including everything beneath it; names of volumes; `*` for every volume. None: `/` and `*`.
   */
  readonly allowed: readonly string[];
  /** Paths that no server may mount merely because a larger folder is allowed. */
  readonly guarded: readonly string[];
}

/** Folders of the host that give access to the kernel, devices, logins, sockets, or the engine's data. */
export const systemPaths: readonly string[] = [
  ...['/proc', '/sys', '/dev', '/etc', '/boot', '/run', '/var/run'],
  ...['/var/lib/docker', '/var/lib/containerd'],
];

/** The prefix of every volume that we create, including other installations' volumes. */
const ourVolumes = /^svc-mcp-/;

export function isMountPattern(item: string): boolean {
  return item === '*' || (item.startsWith('/') ? isPlain(item) : isVolumeName(item));
}

/**
 * A path is judged by the entries of the list that contain it. A guarded path, or a path around or inside one, is
 * refused by a larger entry: to mount the engine's socket, the list has to name the socket.
 * @param path Absolute.
 */
export function isPathAllowed(path: string, { allowed, guarded }: MountRules): boolean {
  const wanted = plainPath(path);
  const entries = (allowed.length === 0 ? ['/'] : allowed).filter((item) => item.startsWith('/'));
  const touched = guarded.map(plainPath).filter((one) => isWithin(wanted, one) || isWithin(one, wanted));
  return entries.map(plainPath).some((entry) => {
    const isLarger = (one: string) => one !== entry && isWithin(one, entry);
    return isWithin(wanted, entry) && !touched.some(isLarger);
  });
}

/** A name that the engine gave to an unnamed volume: the data of some container, perhaps of a server's. */
const engineNamed = /^[0-9a-f]{64}$/;

/** @param own The mounts of this service's own container: its secrets may be in them. */
export function isVolumeAllowed(
  name: string,
  { allowed }: Pick<MountRules, 'allowed'>,
  own: readonly ContainerMount[],
): boolean {
  if (ourVolumes.test(name) || own.some(({ type, source }) => type === 'volume' && source === name))
    return false;
  return (
    allowed.includes(name) || (!engineNamed.test(name) && (allowed.length === 0 || allowed.includes('*')))
  );
}

/** Without `.`, empty parts and a trailing slash; `..` stops at the root. */
export function plainPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === '/' || path.startsWith(`${folder}/`);
}

function isPlain(path: string): boolean {
  return !path.split('/').includes('..') && !path.includes('\0');
}

function isVolumeName(name: string): boolean {
  return /^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/.test(name);
}
