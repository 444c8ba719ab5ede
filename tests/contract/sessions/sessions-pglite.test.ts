import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { openEmbeddedDatabase } from '../../support/embedded-database.ts';
import { describeSessionsOn } from './sessions-rows-contract.ts';

const test = suite('sessions: embedded');
const directory = await mkdtemp(join(tmpdir(), 'svc-mcp-sessions-'));

describeSessionsOn(
  test,
  () => openEmbeddedDatabase(directory),
  () => rm(directory, { recursive: true, force: true }),
);

test.run();
