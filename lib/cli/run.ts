import { join, relative } from 'node:path';
import { readWhereabouts } from '../node-enter-home.ts';
import { findServedHome } from '../node-home.ts';
import { gatewayCommandHere, startCommandHere } from '../node-printed-commands.ts';
import { readEnvFile } from '../node-variables.ts';
import { readVersion } from '../node-version.ts';
import type { CliIo } from './cli.ts';
import { main } from './main.ts';

/**
 * The `gateway` command in this process: for the service that lives where one started here would live, or where `.env` in the
 * working directory says.
 */
export async function run(
  args: readonly string[],
  terminal: Pick<CliIo, 'stdout' | 'stderr' | 'ask'>,
): Promise<number> {
  const where = readWhereabouts();
  const given = { ...readEnvFile(join(where.directory, '.env')), ...where.environment };
  const home = findServedHome({ ...where, environment: given });
  return await main(args, {
    ...terminal,
    environment: home.variables,
    directory: pathTo(home.folder, where.directory),
    command: gatewayCommandHere(home, where),
    startCommand: startCommandHere(where),
    version: readVersion(),
  });
}

/** Whole where it can be: paths of sockets are limited to 100 bytes, and what is in the folder follows. */
function pathTo(folder: string, from: string): string {
  const isShort = folder !== from && Buffer.byteLength(folder) < 80;
  return isShort ? folder : join(relative(from, folder), '.');
}
