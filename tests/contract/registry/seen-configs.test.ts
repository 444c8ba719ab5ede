/** Where config files were seen last, over every database that can hold it. */
import type { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../lib/database/database.ts';
import { createSeenConfigs } from '../../../lib/registry/reconcile/seen-configs.ts';
import { eachDatabase } from '../../support/each-database.ts';

function describeSeen(test: ReturnType<typeof suite>, database: () => Database): void {
  const open = (installationId: string) => createSeenConfigs({ database: database(), installationId });

  test('the last folder of each stored server is known, to its own installation, until the server is removed', async () => {
    for (const name of ['seen-a', 'seen-b']) {
      await database().query("insert into servers (name, config, config_hash) values ($1, '{}', '')", [name]);
    }

    await open('here').record(['seen-a', 'seen-b', 'never-stored'], 'home');
    await open('here').record(['seen-b'], 'other');
    await open('there').record(['seen-a'], 'elsewhere');

    assert.equal(Object.fromEntries(await open('here').read()), { 'seen-a': 'home', 'seen-b': 'other' });
    assert.equal(Object.fromEntries(await open('there').read()), { 'seen-a': 'elsewhere' });
    await database().query("delete from servers where name like 'seen-%'");
    assert.is((await open('here').read()).size, 0);
  });
}

for (const { test, database } of await eachDatabase({
  name: 'where configs were seen',
  table: 'seen_configs',
})) {
  describeSeen(test, database);
  test.run();
}
