import { join } from 'node:path';
import { readWhereabouts } from './node-enter-home.ts';
import { findHome } from './node-home.ts';
import { startCommandAnywhere } from './node-printed-commands.ts';
import { readVersion } from './node-version.ts';
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
