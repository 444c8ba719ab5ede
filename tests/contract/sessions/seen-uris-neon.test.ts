import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createNeonDatabase } from '../../../lib/database/drivers/neon-database.ts';
import { migrate } from '../../../lib/database/migrate.ts';
import { readMigrations } from '../../../lib/database/node-migrations.ts';
import { silentLog } from '../../../lib/log.ts';
import { createSeenUriRows } from '../../../lib/sessions/seen-uris/seen-uri-rows.ts';
import { startNeonProxy } from '../../support/neon-proxy.ts';
import { createTestDatabase } from '../../support/postgres.ts';

const test = suite('seen uris: Neon');
const url = await createTestDatabase('seen_uris_neon');
const onPostgres = url === undefined ? test.skip : test;

onPostgres('rows are written, read and removed as on the other databases', async () => {
  const proxy = await startNeonProxy();
  const { settings } = proxy;
  const database = createNeonDatabase({ connectionString: url ?? '', log: silentLog, settings });
  await migrate(database, await readMigrations());
  await database.query(`insert into servers (name, config, config_hash) values ('one', '{}', '')`);
  const rows = createSeenUriRows(database);
  const keys = ['a', 'b', 'c'];

  await rows.write(keys.map((key) => ({ key, group: 'g', server: key === 'c' ? 'gone' : 'one' })));
  const written = await rows.read(keys);
  await rows.removeBeyond({ mostOfServer: 1, most: 10, seconds: 10 });
  const left = await rows.read(keys);
  await database.close();
  await proxy.close();

  assert.equal([...written.values()], ['one', 'one']);
  assert.is(left.size, 1);
});

test.run();
