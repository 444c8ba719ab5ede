/** The record of removed servers, over every database that can hold it. */
import type { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../lib/database/database.ts';
import { createRemovedServers } from '../../../lib/registry/removal/removed-servers.ts';
import { eachDatabase } from '../../support/each-database.ts';

function describeRemoved(test: ReturnType<typeof suite>, database: () => Database): void {
  test('the origin of the last removal is on record until it is forgotten', async () => {
    const removed = createRemovedServers(database());
    assert.is(await removed.originOf('crm'), undefined);

    await removed.record('crm', 'a');
    await removed.record('crm', '');
    await removed.record('CRM', 'b');
    assert.is(await removed.originOf('crm'), '');

    await removed.delete('crm');
    assert.is(await removed.originOf('crm'), undefined);
    assert.is(await removed.originOf('CRM'), 'b');
  });
}

for (const { test, database } of await eachDatabase({ name: 'removed servers', table: 'removed_servers' })) {
  describeRemoved(test, database);
  test.run();
}
