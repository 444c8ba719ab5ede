/** The record of whose each secret is, over every database that can hold it. */
import type { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../lib/database/database.ts';
import { createSecretOwners } from '../../../lib/registry/secrets/secret-owners.ts';
import { eachDatabase } from '../../support/each-database.ts';

function describeOwners(test: ReturnType<typeof suite>, database: () => Database): void {
  const owners = () => createSecretOwners(database());
  const read = async () => [...(await owners().read())].sort();
  const [crm, other] = [
    { server: 'crm', origin: 'a' },
    { server: 'CRM', origin: 'a' },
  ];

  test('what was claimed is on record, and claiming again moves its origin', async () => {
    await owners().claim(['A', 'B'], crm);

    await owners().claim(['A'], { ...crm, origin: 'b' });

    assert.equal(await read(), [
      ['A', { server: 'crm', origin: 'b' }],
      ['B', crm],
    ]);
  });

  test('a claim that is taken back leaves what was there before', async () => {
    await owners().claim(['A'], crm);
    const undo = await owners().claim(['A', 'B'], { ...crm, origin: 'b' });

    await undo();

    assert.equal(await read(), [['A', crm]]);
  });

  test('what belongs to another server cannot be claimed, and nothing else is then', async () => {
    await owners().claim(['A'], crm);

    const refused = await owners()
      .claim(['A', 'B'], other)
      .catch(({ code }) => code);

    assert.is(refused, 'conflict');
    assert.equal(await read(), [['A', crm]]);
  });

  test('of many servers that claim one name at once, one gets it', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        owners()
          .claim(['A'], { server: `s${at}`, origin: 'a' })
          .then(
            () => 'claimed',
            ({ code }) => code,
          ),
      ),
    );

    assert.equal(outcomes.sort(), ['claimed', ...Array(7).fill('conflict')]);
  });

  test('a released secret has no owner', async () => {
    await owners().claim(['A', 'B'], crm);

    await owners().release(['A']);

    assert.equal(await read(), [['B', crm]]);
  });

  test('owners are adopted once, and never in the place of known ones', async () => {
    await database().query('delete from secret_owners_known');
    await owners().claim(['A'], crm);
    const before = await owners().areKnown();

    await owners().record(
      new Map([
        ['A', other],
        ['B', other],
      ]),
    );
    await owners().record(new Map([['C', other]]));

    assert.equal([before, await owners().areKnown()], [false, true]);
    assert.equal(await read(), [
      ['A', crm],
      ['B', other],
    ]);
  });
}

for (const { test, database } of await eachDatabase({ name: 'owners of secrets', table: 'secret_owners' })) {
  describeOwners(test, database);
  test.run();
}
