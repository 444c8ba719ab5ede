import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { openDatabase } from '../../../lib/database/drivers/node-open-database.ts';
import { silentLog } from '../../../lib/log.ts';
import { describeSessionsOn } from './sessions-rows-contract.ts';

const test = suite('sessions: embedded');
const directory = await mkdtemp(join(tmpdir(), 'svc-mcp-sessions-'));

describeSessionsOn(
  test,
  () => openDatabase({ kind: 'pglite', directory }, { log: silentLog }),
  () => rm(directory, { recursive: true, force: true }),
);

test.run();
