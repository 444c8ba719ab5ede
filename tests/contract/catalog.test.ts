/** One list of promises over every database that can hold the catalog. */
import { onEachDatabase } from '../support/each-database.ts';
import { describeCatalog } from './catalog-contract.ts';

await onEachDatabase({ name: 'catalog', table: 'servers', describe: describeCatalog });
