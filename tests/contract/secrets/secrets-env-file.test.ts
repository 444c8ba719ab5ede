import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { silentLog } from '../../../lib/log.ts';
import { createEnvFile } from '../../../lib/secrets/node-env-file.ts';
import { secretsContract } from './secrets-contract.ts';

const test = suite('secrets: env_file');
let folder: string;

test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-secrets-'));
});
test.after.each(() => rmSync(folder, { recursive: true, force: true }));

secretsContract(test, () => createEnvFile({ path: join(folder, 'secrets.env'), log: silentLog }));

test.run();
