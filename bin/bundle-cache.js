// The folder for bundles of the sources on Node 20: it belongs to the user who runs this, and is never beside the sources.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/** Has the path of the sources. */
const ownerFile = 'sources';

/**
 * Makes the folder when it is missing. Users who may write there decide what runs here, so only a folder that this user alone
 * may write is used: under a `sudo` that keeps HOME, the folder of the other user is neither read nor written.
 * @param {string} root of the sources
 * @returns {string | undefined} undefined: there is no such folder
 */
export function bundleCache(root) {
  try {
    const base = baseFolder();
    if (base === undefined) return undefined;
    const cache = join(base, createHash('sha256').update(root).digest('hex').slice(0, 16));
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    if (!isOursAlone(cache) || !isOursAlone(base) || isWritableByAll(dirname(base))) return undefined;
    const owner = join(cache, ownerFile);
    if (!existsSync(owner)) writeFileSync(owner, root);
    return cache;
  } catch {
    return undefined;
  }
}

/** Removes the bundles of sources that no longer exist. @param {string} cache */
export function removeUnusedCaches(cache) {
  const base = dirname(cache);
  for (const name of readdirSync(base)) {
    if (isUnused(join(base, name))) rmSync(join(base, name), { recursive: true, force: true });
  }
}

/** @param {string} cache Has no owner file yet while another process makes it. */
function isUnused(cache) {
  try {
    const owner = readFileSync(join(cache, ownerFile), 'utf8');
    return owner !== '' && !existsSync(owner);
  } catch {
    return false;
  }
}

/** systemd's `CacheDirectory=`, or the folder of the XDG base directory specification. */
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

/** No other user can write into it. @param {string} folder */
function isOursAlone(folder) {
  return isOwn(folder) && (process.getuid === undefined || (statSync(folder).mode & 0o022) === 0);
}

/** Any user can replace a folder in it. @param {string} folder */
function isWritableByAll(folder) {
  return process.getuid !== undefined && (statSync(folder).mode & 0o1002) === 0o002;
}
