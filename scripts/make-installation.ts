/**
 * Makes an installation with the version in a checkout, with all that an upgrade could lose, and saves it as a fixture
 * for `tests/end-to-end/upgrade.test.ts`: `node --import tsx scripts/make-installation.ts CHECKOUT FOLDER`. The checkout
 * needs its `node_modules`. All values are made up.
 */
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { secretsFile, withDatabase } from '../tests/support/installation.ts';
import { type Expected, readView } from '../tests/support/installation-view.ts';
import { manage, toolsOf } from '../tests/support/manager-api.ts';
import { type NotesServer, startNotesServer } from '../tests/support/notes-server.ts';
import { type RunningService, runService, type ServicePlaces } from '../tests/support/run-service.ts';
import { waitUntil } from '../tests/support/wait-until.ts';
import { breakStreams, openSessions } from './installation/agents.ts';
import { boxed } from './installation/boxed-rows.ts';
import {
  configTexts,
  groupTools,
  notesConfig,
  programs,
  research,
  secretsText,
} from './installation/operator-files.ts';
import { packFolder, writeSql } from './installation/save-database.ts';

const [checkout, folder] = process.argv.slice(2);
if (checkout === undefined || folder === undefined) {
  console.error('Usage: node --import tsx scripts/make-installation.ts CHECKOUT FOLDER');
  process.exit(2);
}
const notes = await startNotesServer('first');
const service = await runService({
  checkout: resolve(checkout),
  database: 'embedded',
  env: { DOCKER_HOST: 'unix:///nonexistent/docker.sock' },
  fill: async (places) => writeByHand(places, notes),
});
try {
  await register(service, notes);
  await service.stop();
  await withDatabase(service, boxed);
  await service.restart();
  await makeGroups(service);
  const sessions = await openSessions(service);
  const streams = await breakStreams(service, sessions);
  await changeTools(service, notes);
  const view = await readView(service, sessions);
  await service.stop();
  await save({ sessions, streams, view });
} finally {
  await service.remove();
  await notes.close();
}

function writeByHand({ dataDir, groupsDir, configsDir }: ServicePlaces, { address }: NotesServer): void {
  for (const directory of [dataDir, groupsDir, configsDir]) mkdirSync(directory, { recursive: true });
  writeFileSync(join(dataDir, 'secrets.env'), secretsText, { mode: 0o600 });
  writeFileSync(join(groupsDir, 'research.json'), research);
  for (const [file, text] of Object.entries(configTexts(address)))
    writeFileSync(join(configsDir, file), text);
}

async function register(service: RunningService, { address }: NotesServer): Promise<void> {
  for (const program of programs) {
    const path = join(service.dir, 'program.json');
    writeFileSync(path, JSON.stringify(program));
    const { code, stderr } = await service.cli(['register', '-c', path]);
    if (code !== 0) throw new Error(`register ${program.name}: ${stderr}`);
  }
  await manage(service, 'POST', '/api/servers', notesConfig(address));
  for (const server of ['everything', 'filesystem', 'offering', 'stray', 'archive']) {
    await waitUntil(`${server} is listed`, async () => (await toolsOf(service, server)).length > 0);
  }
}

async function makeGroups(service: RunningService): Promise<void> {
  await manage(service, 'PUT', '/api/groups/svc-global/tools', { tools: groupTools['svc-global'] });
  const review = { description: 'What changed, and what is gone', tools: groupTools.review };
  await manage(service, 'POST', '/api/groups/review', review);
}

/** Of the tools in the group `review` one is changed now, one is missing; one that is in no group is new. */
async function changeTools(service: RunningService, notes: NotesServer): Promise<void> {
  notes.show('second');
  await manage(service, 'POST', '/api/servers/notes/restart', {});
  await waitUntil('its tools are others', async () =>
    (await toolsOf(service, 'notes')).includes('notes__fresh'),
  );
}

async function save(made: Pick<Expected, 'sessions' | 'streams' | 'view'>): Promise<void> {
  const target = resolve(folder ?? '');
  for (const part of ['data', 'groups', 'configs'])
    rmSync(join(target, part), { recursive: true, force: true });
  mkdirSync(join(target, 'data'), { recursive: true });
  for (const file of ['installation-id', 'installation-key']) {
    cpSync(join(service.dataDir, file), join(target, 'data', file));
  }
  cpSync(join(service.dataDir, 'secrets.env'), join(target, secretsFile));
  cpSync(service.groupsDir, join(target, 'groups'), { recursive: true });
  cpSync(service.configsDir, join(target, 'configs'), { recursive: true });
  const groupFiles = readdirSync(service.groupsDir);
  const writtenAt = (file: string) => statSync(join(service.groupsDir, file)).mtime.toISOString();
  packFolder(service.dataDir, join(target, 'database.tar.br'));
  const facts = await withDatabase(service, async (database) => {
    await writeSql(database, resolve(checkout ?? ''), join(target, 'database.sql'));
    const [row] = await database.query<{ major: string; now: Date }>(
      `select split_part(current_setting('server_version'), '.', 1) as major, now()`,
    );
    return { stoppedAt: row?.now.toISOString() ?? '', postgresMajor: row?.major ?? '' };
  });
  const expected: Expected = {
    ...facts,
    notesAddress: notes.address,
    groupsWrittenAt: Object.fromEntries(groupFiles.map((file) => [file, writtenAt(file)])),
    ...made,
  };
  writeFileSync(join(target, 'expected.json'), `${JSON.stringify(expected, null, 1)}\n`);
}
