import { join } from 'node:path';
import { readStartPlace } from '../../home/node-enter-home.ts';
import { findHome } from '../../home/node-home.ts';
import { startCommandAnywhere } from '../../home/node-printed-commands.ts';
import { readVersion } from '../../home/node-version.ts';
import type { ProgramFacts } from './server-arguments.ts';

/** Facts of the service as it would start here. Never throws: `home` is then the reason in a sentence. */
export function readProgramFacts(where = readStartPlace()): ProgramFacts {
  return {
    version: readVersion(),
    command: startCommandAnywhere(where),
    home: homeText(() => findHome(where).folder),
    settingsFile: join(where.sources, '.env.example'),
  };
}

function homeText(find: () => string): string {
  try {
    return find();
  } catch (error) {
    return (error as Error).message;
  }
}
