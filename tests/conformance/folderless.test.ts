/** Three gateways without any folder, one manager and one Postgres. */
import { suiteOnReplicas } from './on-replicas.ts';
import { startFolderlessReplicas } from './replicas.ts';

const test = await suiteOnReplicas('three gateways without folders', startFolderlessReplicas);

test.run();
