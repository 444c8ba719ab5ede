import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { migrate } from '../../../lib/database/migrate.ts';
import { readMigrations } from '../../../lib/database/node-migrations.ts';
import { createLocalBus } from '../../../lib/events/local-bus.ts';
import { createApprovals } from '../../../lib/groups/definitions/approvals.ts';
import { createFormerServers } from '../../../lib/groups/names/former-servers.ts';
import { silentLog } from '../../../lib/log.ts';
import { eachDatabase } from '../../support/each-database.ts';
import { createMemoryGroups } from '../../support/memory-groups.ts';
import { createMemoryOffers } from '../../support/memory-offers.ts';
import { knownTools } from '../../unit/groups/known-tools.ts';

/** What an installation of before has, after migration 0010. */
const definitions = {
  same: '{"name":"same","x":"\\u0000 “"}',
  changed: '{"name":"changed"}',
  long: JSON.stringify({ name: 'long', description: 'x'.repeat(70_000) }),
};
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

const suites = await eachDatabase({ name: 'groups upgrade', table: 'accepted_tools', before: '0010' });
for (const { test, database } of suites) {
  test('approvals stay as they are, with the text of those that are still current', async () => {
    await database().query(`insert into servers (name, config, config_hash) values ('a', '{}', '')`);
    for (const [name, definition] of Object.entries(definitions)) {
      const hash = hashOf(definition);
      await database().query(
        'insert into tools (server, name, position, definition, hash) values ($1, $2, 1, $3, $4)',
        ['a', name, definition, hash],
      );
      await database().query('insert into accepted_tools (group_name, tool, hash) values ($1, $2, $3)', [
        'ops',
        `a__${name}`,
        name === 'changed' ? hashOf('before') : hash,
      ]);
    }

    await migrate(database(), await readMigrations());

    const bus = createLocalBus({ log: silentLog });
    const approvals = createApprovals({ database: database(), bus, log: silentLog });
    await approvals.load();
    const found = async (tool: string) => {
      const { hash, text } = (await approvals.find('ops', `a__${tool}`)) ?? {};
      return { hash, text };
    };
    const { same, long } = definitions;
    assert.equal(await found('same'), { hash: hashOf(same), text: same });
    assert.equal(await found('changed'), { hash: hashOf('before'), text: undefined });
    assert.equal(await found('long'), { hash: hashOf(long), text: undefined });
    assert.is(approvals.approved('ops').get('a__changed'), hashOf('before'));
    approvals.close();
  });

  test('bare URIs of servers outside of the group go on meaning what they meant, and are noted once', async () => {
    await migrate(database(), await readMigrations());
    const bus = createLocalBus({ log: silentLog });
    const [groups, features] = [createMemoryGroups(bus), createMemoryOffers(bus)];
    const catalog = knownTools({ own: ['t'], one: ['t'], two: ['t'] }, bus);
    features.setFeatures('own', { resources: ['own://1'] });
    features.setFeatures('one', {
      resources: ['one://1', 'shared://1', 'own://1'],
      templates: ['one://{id}'],
    });
    features.setFeatures('two', { resources: ['shared://1'] });
    const entries = ['own://1', 'one://1', 'one://{id}', 'shared://1', 'two+shared://1', 'nobody://1'];
    groups.write('ops', { included_tools: ['own__t'], included_resources: entries });
    groups.write('open', ['own__t']);
    const start = async () => {
      const former = createFormerServers({ database: database(), groups, catalog, features, hasFiles: true });
      await former.load();
      return entries.map((entry) => former.serverOf('ops', entry));
    };

    const [first, another] = await Promise.all([start(), start()]);
    groups.write('later', { included_resources: ['one://1'] });
    features.setFeatures('two', { resources: ['nobody://1'] });
    const later = await start();

    const expected = [undefined, 'one', 'one', undefined, undefined, undefined];
    assert.equal(first, expected);
    assert.equal(another, expected);
    assert.equal(later, expected);
    assert.is((await database().query('select * from former_servers')).length, 2);
  });

  test.run();
}
