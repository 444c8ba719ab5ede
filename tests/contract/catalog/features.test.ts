/** One list of promises over every database that can hold offers and subscriptions. */
import { eachDatabase } from '../../support/each-database.ts';
import { describeOffers } from './features-contract.ts';

for (const { test, database } of await eachDatabase({ name: 'offers', table: 'servers' })) {
  describeOffers(test, database);
  test.run();
}
