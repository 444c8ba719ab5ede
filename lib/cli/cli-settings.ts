import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { parseEnv } from 'node:util';

/**
 * What the command line takes from the environment, and from the same `.env` the service reads. Names and
 * defaults are those of `lib/settings.ts`; everything else there is the service's business.
 */
export interface CliSettings {
  /** The service's admin socket; relative when `DATA_DIR` is, because socket paths are limited to 100 bytes. */
  readonly adminSocket: string;
  readonly adminToken: string | undefined;
  readonly gatewayToken: string | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** @param directory Where `.env` is looked for and a relative `DATA_DIR` counts from. */
export function readCliSettings(environment: Environment, directory: string): CliSettings {
  const file = readEnvFile(join(directory, '.env'));
  const setting = (name: string) => environment[name] || file[name] || undefined;
  const dataDir = setting('DATA_DIR') ?? '.data';
  return {
    adminSocket: join(isAbsolute(dataDir) ? dataDir : join(directory, dataDir), 'admin.sock'),
    adminToken: setting('ADMIN_TOKEN'),
    gatewayToken: setting('GATEWAY_TOKEN'),
  };
}

/** A missing or unreadable file is no settings: the service itself says what is wrong with it. */
function readEnvFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}
