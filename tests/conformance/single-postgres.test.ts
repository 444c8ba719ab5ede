/** One process on Postgres. */
import { suite } from 'uvu';
import { createTestDatabase } from '../support/postgres.ts';
import { openKit } from './kit.ts';
import { describeSingleProcess } from './single-process.ts';

const test = suite('conformance, one process on Postgres');
const database = await createTestDatabase('conformance_single');
const kit = database === undefined ? undefined : await openKit();

describeSingleProcess(test, kit, database ?? '');

test.run();
