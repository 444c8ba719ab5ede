import type { ContainerMount } from '../containers.ts';

/**
 * Which folders of the engine's host, and which volumes that are not a server's own, may be mounted into servers (setting
 * `ALLOWED_MOUNTS`; SECURITY.md, Rights). Plain text work: where links lead is found out in `node-mount-check.ts`.
 */
export interface MountRules {
  /** Absolute paths, each with all beneath it; names of volumes; `*` for every volume. None: `/` and `*`. */
  readonly allowed: readonly string[];
  /** Paths that nothing may reach which is only allowed as a part of something larger. */
  readonly guarded: readonly string[];
}

/** What a folder of the host gives away: the kernel, devices, who may log in, sockets, and what the engine keeps. */
export const systemPaths: readonly string[] = [
  ...['/proc', '/sys', '/dev', '/etc', '/boot', '/run', '/var/run'],
  ...['/var/lib/docker', '/var/lib/containerd'],
];

/** Every volume that we make, those of other installations too. */
const ourVolumes = /^svc-mcp-/;

export function isMountPattern(item: string): boolean {
  return item === '*' || (item.startsWith('/') ? isPlain(item) : isVolumeName(item));
}

/**
 * A path is judged by the entries of the list that hold it. What is guarded, the path itself, around it or in it, is
 * refused by an entry that is larger than it: who wants the engine's socket in a server names the socket.
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

/** What the engine called a volume that nobody gave a name: the data of some container, of a server's too. */
const engineNamed = /^[0-9a-f]{64}$/;

/** @param own What this service itself has mounted: its secrets may be in there. */
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

/** Without `.`, empty parts and a slash at the end; `..` leads as far up as it can. */
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
