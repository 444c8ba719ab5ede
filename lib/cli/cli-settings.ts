import { isAbsolute, join } from 'node:path';
import { readEnvFile } from '../home/node-variables.ts';
import { createSettingReader, type EnvironmentVariables } from '../settings/setting-reader.ts';

/**
 * Settings of the command line, from the environment and from the service's `.env`. Names and defaults are those of
 * `lib/settings/settings.ts`; all other settings there are for the service only.
 */
export interface CliSettings {
  /** The service's admin socket; relative when `DATA_DIR` is, because socket paths are limited to 100 bytes. */
  readonly adminSocket: string;
  readonly adminToken: string | undefined;
  readonly gatewayToken: string | undefined;
  /** Address of the gateway from here, if it differs from that for agents (`INTERNAL_GATEWAY_URL`). */
  readonly gatewayUrl: string | undefined;
}

/** @param directory Where `.env` is looked for and a relative `DATA_DIR` counts from. */
export function readCliSettings(environment: EnvironmentVariables, directory: string): CliSettings {
  const read = createSettingReader({ ...readEnvFile(join(directory, '.env')), ...environment });
  const dataDir = read.text('DATA_DIR', '.data');
  return {
    adminSocket: join(isAbsolute(dataDir) ? dataDir : join(directory, dataDir), 'admin.sock'),
    adminToken: read.optionalText('ADMIN_TOKEN'),
    gatewayToken: read.optionalText('GATEWAY_TOKEN'),
    gatewayUrl: read.url('INTERNAL_GATEWAY_URL'),
  };
}
