import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { EnvironmentVariables } from '../settings/setting-reader.ts';

/** Empty for a missing or unreadable file; the settings then say which variable is missing. */
export function readEnvFile(path: string): EnvironmentVariables {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}
