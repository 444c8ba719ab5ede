/** One list of promises over every database that can hold the catalog. */
import { eachDatabase } from '../../support/each-database.ts';
import { describeCatalog } from './catalog-contract.ts';

for (const { test, database } of await eachDatabase({ name: 'catalog', table: 'servers' })) {
  describeCatalog(test, database);
  test.run();
}
