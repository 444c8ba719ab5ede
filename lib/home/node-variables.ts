import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { EnvironmentVariables } from '../settings/setting-reader.ts';

/** A missing or unreadable file holds nothing; the settings themselves say what is then missing. */
export function readEnvFile(path: string): EnvironmentVariables {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}
