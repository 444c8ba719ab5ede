import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SettingError } from './setting-reader.ts';

/** Makes a folder that a setting names, and says which setting it was when it cannot. */
export function makeFolder(path: string, setting: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new SettingError(setting, `the folder cannot be made (${(error as NodeJS.ErrnoException).code})`);
  }
}

/**
 * The random id of this installation: it marks the processes and containers that are ours, across restarts.
 * Kept in `DATA_DIR/installation-id`.
 */
export function readInstallationId(dataDir: string): string {
  const path = join(dataDir, 'installation-id');
  try {
    const id = readFileSync(path, 'utf8').trim();
    if (/^[0-9a-f]{16}$/.test(id)) return id;
  } catch {
    // Not there yet: made below.
  }
  const id = randomBytes(8).toString('hex');
  writeFileSync(path, `${id}\n`, { mode: 0o600 });
  return id;
}
