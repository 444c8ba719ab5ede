/** `kill -9` between any two steps of a deletion, and what killed writers leave beside their files. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { killedSuite, type Steps } from '../support/kill-steps.ts';
import { waitUntil } from '../support/wait-until.ts';

const steps: Steps = {
  'its container stops': { at: { engine: /POST \/containers\/\w+\/stop/ }, becomes: 'whole' },
  'its tools leave the lists': { at: { database: /insert into deregistrations/ }, becomes: 'whole' },
  // Other processes are given a moment, then the file goes.
  'others hear that its tools have left': { at: { database: /pg_notify/ }, becomes: 'either' },
  'its row goes': { at: { database: /delete from servers/ }, becomes: 'gone' },
  'its container goes': { at: { engine: /DELETE \/containers\/\w+/ }, becomes: 'gone' },
  'its container is forgotten': { at: { database: /delete from containers/ }, becomes: 'gone' },
  'its volume goes': { at: { engine: /DELETE \/volumes\/\w+/ }, becomes: 'gone' },
  'its volume is forgotten': { at: { database: /delete from server_volumes/ }, becomes: 'gone' },
  'its secrets are released': { at: { database: /delete from secret_owners/ }, becomes: 'gone' },
  'its removal is struck out': { at: { database: /delete from deregistrations/ }, becomes: 'gone' },
};

const { test, withAll, servers } = await killedSuite({
  verb: 'deleted',
  steps,
  async prepare(present, name) {
    if (!(await present.isThere(name))) await present.provision(name);
  },
  act: (present, name) => present.delete(name),
});

withAll('what a killed writer left beside configs, groups and secrets is swept', async () => {
  const service = servers()?.killed.service;
  if (!service) return;
  const { configsDir, groupsDir, dataDir } = service;
  const places = [
    join(configsDir, 'demo.json.0123456789ab.tmp'),
    join(groupsDir, 'demo.json.0123456789ab.tmp'),
    join(dataDir, 'secrets.env.0123456789ab.tmp'),
  ];
  await service.kill9();
  for (const path of places) writeFileSync(path, '{"half":');

  await service.restart();

  const temporary = () =>
    [configsDir, groupsDir, dataDir].flatMap((folder) =>
      readdirSync(folder).filter((file) => file.endsWith('.tmp')),
    );
  await waitUntil('they are gone', () => temporary().length === 0, { limitMs: 20_000 });
});

test.run();
