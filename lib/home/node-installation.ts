import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SettingError } from '../settings/setting-reader.ts';

/** Makes the folder of a setting. @throws SettingError that names the setting. */
export function makeFolder(path: string, setting: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new SettingError(setting, `the folder cannot be made (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** The random id of this installation, in `DATA_DIR/installation-id`: marks its child processes, across restarts. */
export function readInstallationId(dataDir: string): string {
  return readOrMake(join(dataDir, 'installation-id'), 8);
}

/**
 * A random key that never leaves this installation, in `DATA_DIR/installation-key`: a hash under this key reveals nothing
 * where it is stored or used as a label.
 */
export function readInstallationKey(dataDir: string): string {
  return readOrMake(join(dataDir, 'installation-key'), 32);
}

/**
 * The id on the labels of this installation's containers and volumes, as it was recorded last in `DATA_DIR/deployment-id`,
 * so that they are found again when the database was lost.
 */
export function readRecordedDeployment(dataDir: string): string | undefined {
  try {
    const text = readFileSync(join(dataDir, 'deployment-id'), 'utf8').trim();
    return /^[0-9a-z]+$/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

export function recordDeployment(dataDir: string, id: string): void {
  if (readRecordedDeployment(dataDir) !== id) {
    writeFileSync(join(dataDir, 'deployment-id'), `${id}\n`, { mode: 0o600 });
  }
}

function readOrMake(path: string, bytes: number): string {
  try {
    const text = readFileSync(path, 'utf8').trim();
    if (/^[0-9a-f]+$/.test(text) && text.length === 2 * bytes) return text;
  } catch {
    // Not there yet: made below.
  }
  const made = randomBytes(bytes).toString('hex');
  writeFileSync(path, `${made}\n`, { mode: 0o600 });
  return made;
}
