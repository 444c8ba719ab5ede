import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Log } from '../log.ts';
import type { Settings } from '../settings/settings.ts';
import { isPackage, sourcesFolder } from './node-home.ts';
import { makeFolder } from './node-installation.ts';
import { programName } from './node-own-program.ts';

/**
 * What a checkout has in `configs/` and `groups/`, for the home of a package. The servers are started by this program, which
 * finds them and the folder that one of them shows wherever the package is (`lib/cli/commands/example-command.ts`).
 */
const servers = [
  {
    name: 'everything',
    transport: 'stdio',
    description: "The protocol's own demonstration server: echo, sums, progress and every kind of content",
    command: programName,
    args: ['example', 'everything'],
  },
  {
    name: 'filesystem',
    transport: 'stdio',
    description: 'Reads files of the folder with the documents of svc-mcp',
    command: programName,
    args: ['example', 'filesystem'],
  },
] as const;

const group = {
  description: 'The group that is used when none is named',
  included_tools: [
    'everything__echo',
    'everything__get-sum',
    'filesystem__list_directory',
    'filesystem__read_text_file',
  ],
} as const;

/** Where `isNewHome` looks, and `writeExamples` writes. */
type Folders = Pick<Settings, 'dataDir' | 'groupsDir' | 'configsDir'>;

/**
 * Whether nothing has ever lived in this home, so that the examples belong there: a home of a package, for a checkout has
 * its own, with the embedded database, for another one may be known to other processes with servers of their own.
 * To be asked before any of its folders is made.
 */
export function isNewHome(
  { roles, database, dataDir, groupsDir, configsDir }: Pick<Settings, 'roles' | 'database'> & Folders,
  sources: string = sourcesFolder,
): boolean {
  return (
    isPackage(sources) &&
    roles.has('manager') &&
    database.kind === 'pglite' &&
    ![dataDir, groupsDir, configsDir].some((folder) => existsSync(resolve(folder)))
  );
}

export function writeExamples(
  { groupsDir, configsDir, defaultGroup }: Folders & Pick<Settings, 'defaultGroup'>,
  log: Log,
): void {
  makeFolder(groupsDir, 'GROUPS_DIR');
  makeFolder(configsDir, 'CONFIGS_DIR');
  for (const server of servers) writeNew(configsDir, server.name, server);
  writeNew(groupsDir, defaultGroup, { name: defaultGroup, ...group });
  log.info({ servers: servers.map(({ name }) => name), group: defaultGroup }, 'a new home, with examples');
}

function writeNew(folder: string, name: string, content: object): void {
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(content, null, 2)}\n`, { flag: 'wx' });
}
