import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import { openEmbeddedDatabase } from '../../support/embedded-database.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { describeSessionsOn } from './sessions-rows-contract.ts';

const test = suite('sessions: embedded');
const directory = await mkdtemp(join(scratchFolder(), 'svc-mcp-sessions-'));

describeSessionsOn(
  test,
  () => openEmbeddedDatabase(directory),
  () => rm(directory, { recursive: true, force: true }),
);

test.run();
