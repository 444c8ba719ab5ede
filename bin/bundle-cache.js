// Where bundles of the sources are kept on Node 20: in a folder of whoever runs this, never beside the sources.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/** Names the folder of the sources. */
const ownerFile = 'sources';

/**
 * Made when missing. Whoever may write there decides what runs here, so it is the user's alone or none: under `sudo` that keeps
 * HOME nothing is read from another one's, nor left there.
 * @param {string} root of the sources
 * @returns {string | undefined} undefined: there is no such folder
 */
export function bundleCache(root) {
  try {
    const base = baseFolder();
    if (base === undefined) return undefined;
    const cache = join(base, createHash('sha256').update(root).digest('hex').slice(0, 16));
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    if (!isOursAlone(cache) || !isOursAlone(base) || isForEverybody(dirname(base))) return undefined;
    const owner = join(cache, ownerFile);
    if (!existsSync(owner)) writeFileSync(owner, root);
    return cache;
  } catch {
    return undefined;
  }
}

/** Takes away what belongs to sources that are gone. @param {string} cache */
export function removeOthersLeft(cache) {
  const base = dirname(cache);
  for (const name of readdirSync(base)) {
    if (isLeft(join(base, name))) rmSync(join(base, name), { recursive: true, force: true });
  }
}

/** @param {string} cache One that is just being made has no owner yet. */
function isLeft(cache) {
  try {
    const owner = readFileSync(join(cache, ownerFile), 'utf8');
    return owner !== '' && !existsSync(owner);
  } catch {
    return false;
  }
}

/** systemd's `CacheDirectory=`, or what the XDG base directory specification says. */
function baseFolder() {
  const { CACHE_DIRECTORY, XDG_CACHE_HOME } = process.env;
  const ofService = CACHE_DIRECTORY?.split(':')[0];
  if (ofService) return join(ofService, 'svc-mcp');
  if (XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME)) return join(XDG_CACHE_HOME, 'svc-mcp');
  const home = homedir();
  return isAbsolute(home) && isOwn(home) ? join(home, '.cache', 'svc-mcp') : undefined;
}

/** @param {string} folder */
function isOwn(folder) {
  return process.getuid === undefined || statSync(folder).uid === process.getuid();
}

/** Nobody else can put anything into it. @param {string} folder */
function isOursAlone(folder) {
  return isOwn(folder) && (process.getuid === undefined || (statSync(folder).mode & 0o022) === 0);
}

/** Anybody can put another folder into the place of one in it. @param {string} folder */
function isForEverybody(folder) {
  return process.getuid !== undefined && (statSync(folder).mode & 0o1002) === 0o002;
}
