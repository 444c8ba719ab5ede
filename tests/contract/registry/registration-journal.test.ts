/** The journal of registrations, over every database that can hold it. */
import type { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../lib/database/database.ts';
import { createRegistrationJournal } from '../../../lib/registry/secrets/registration-journal.ts';
import { eachDatabase } from '../../support/each-database.ts';

let lastId = 0;

function describeJournal(test: ReturnType<typeof suite>, database: () => Database): void {
  const startService = (installationId = 'one') =>
    createRegistrationJournal({ database: database(), installationId, newId: () => String(++lastId) });
  const secretsOf = async (journal: ReturnType<typeof startService>) =>
    (await journal.unfinished()).map(({ secrets }) => secrets);

  test('entries that a service did not delete are found by the next one of its installation', async () => {
    await startService().record(['A', 'B']);

    assert.equal(await secretsOf(startService()), [['A', 'B']]);
  });

  test('what was struck out is forgotten', async () => {
    const deleteEntry = await startService().record(['A']);

    await deleteEntry();

    assert.equal(await secretsOf(startService()), []);
  });

  test('a service does not take its own notes for left behind', async () => {
    const journal = startService();

    await journal.record(['A']);

    assert.equal(await secretsOf(journal), []);
  });

  test('notes of another installation are its own business', async () => {
    await startService('other').record(['A']);

    assert.equal(await secretsOf(startService()), []);
  });

  test('what was found is struck out by its id', async () => {
    await startService().record(['A']);
    const journal = startService();
    const [entry] = await journal.unfinished();

    await journal.delete(entry?.id ?? '');

    assert.equal(await secretsOf(journal), []);
  });
}

const kinds = { name: 'journal of registrations', table: 'unfinished_registrations' };
for (const { test, database } of await eachDatabase(kinds)) {
  describeJournal(test, database);
  test.run();
}
