import { join, relative, resolve } from 'node:path';
import { readStartPlace } from '../home/node-enter-home.ts';
import { findServedHome } from '../home/node-home.ts';
import { gatewayCommandHere, startCommandHere } from '../home/node-printed-commands.ts';
import { readEnvFile } from '../home/node-variables.ts';
import { readVersion } from '../home/node-version.ts';
import { readProgramFacts } from '../server/start/node-program-facts.ts';
import type { EnvironmentVariables } from '../settings/setting-reader.ts';
import type { CliIo } from './cli.ts';
import { dataFolderIn } from './data-option.ts';
import { main } from './main.ts';

/** What the program that people start brings along. */
export interface Terminal extends Pick<CliIo, 'stdout' | 'stderr' | 'ask' | 'askText'> {
  /** Turns this process into the service, living in `home` if that is given. */
  startService(home: string | undefined): Promise<void>;
}

/**
 * Runs the `svc-mcp` command in this process, for the service in the folder that `--data` names, else the one that a service
 * started here would use, or that `.env` in the working directory names.
 */
export async function run(args: readonly string[], { startService, ...terminal }: Terminal): Promise<number> {
  const { environment, ...place } = readStartPlace();
  const data = dataFolderIn(args);
  const chosen = data === undefined ? {} : { GATEWAY_HOME: resolve(place.directory, data) };
  const where = { ...place, environment: { ...environment, ...chosen } };
  const given = data === undefined ? { ...settingsHere(where.directory), ...environment } : where.environment;
  const home = findServedHome({ ...where, environment: given });
  return await main(args, {
    ...terminal,
    environment: home.variables,
    directory: pathTo(home.folder, where.directory),
    command: gatewayCommandHere(home, where),
    startCommand: startCommandHere(where),
    service: {
      start: () => startService(chosen.GATEWAY_HOME),
      facts: () => readProgramFacts(where),
    },
    version: readVersion(),
  });
}

/**
 * Settings that are read from `.env` in the working directory, which may be a stranger's project. They can name the
 * service on this machine, but no other address, to which this service's tokens would be sent, and no command.
 */
const settingsOfFolder = ['GATEWAY_HOME', 'DATA_DIR', 'ADMIN_TOKEN', 'GATEWAY_TOKEN'];

function settingsHere(directory: string): EnvironmentVariables {
  const variables = readEnvFile(join(directory, '.env'));
  return Object.fromEntries(Object.entries(variables).filter(([name]) => settingsOfFolder.includes(name)));
}

/** The absolute path if it is short: the paths of sockets in the folder are limited to 100 bytes. */
function pathTo(folder: string, from: string): string {
  const isShort = folder !== from && Buffer.byteLength(folder) < 80;
  return isShort ? folder : join(relative(from, folder), '.');
}
