/** Three replicas on one Postgres and one set of folders. */
import { suiteOnReplicas } from './on-replicas.ts';
import { startReplicas } from './replicas.ts';

const test = await suiteOnReplicas('three replicas', startReplicas);

test.run();
