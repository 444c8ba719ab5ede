import { join } from 'node:path';
import { readWhereabouts } from '../../home/node-enter-home.ts';
import { findHome } from '../../home/node-home.ts';
import { startCommandAnywhere } from '../../home/node-printed-commands.ts';
import { readVersion } from '../../home/node-version.ts';
import type { ProgramFacts } from './server-arguments.ts';

/** Of the service as it would start here. Never fails: what would fail is told. */
export function readProgramFacts(): ProgramFacts {
  const where = readWhereabouts();
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
