/** One list of promises over every database that can hold offers and subscriptions. */
import { onEachDatabase } from '../support/each-database.ts';
import { describeOffers } from './offers-contract.ts';

await onEachDatabase({ name: 'offers', table: 'servers', describe: describeOffers });
