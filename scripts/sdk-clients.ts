/** Installs the clients of others that tests use, and says which there are: `node --import tsx scripts/sdk-clients.ts`. */
import { cacheFolder, openSdkClients } from './clients/sdk-clients.ts';

const clients = await openSdkClients();
console.log(`sdk clients: ${[...clients.keys()].join(', ')} (in ${cacheFolder})`);
