/** A server of the revision of 2026-07-28 alone is refused with words that say what it speaks and what we speak. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from '../support/free-port.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { plainEnvironment, projectDir } from '../support/service-command.ts';
import { stdioConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';
import { openKit } from './kit.ts';

const test = suite('a server of the newest revision alone');
const kit = await openKit();
const withKit = kit ? test : test.skip;
const path = kit?.fixturePath ?? '';
let service: RunningService;

test.before(async () => {
  if (kit) service = await runService({ readyMs: 120_000 });
});
test.after(() => service?.remove());

async function refusal(config: object): Promise<string> {
  const file = join(service.dir, 'modern.json');
  writeFileSync(file, JSON.stringify(config));
  const { code, stderr } = await service.cli(['register', '-c', file]);
  assert.is.not(code, 0);
  return stderr;
}

const expected = 'it speaks version 2026-07-28 of MCP, and this gateway speaks 2024-10-07 to 2025-11-25.';

withKit('over stdio', async () => {
  const config = stdioConfig('modern', [path, '--era', 'modern']);

  assert.match(await refusal(config), expected);
});

withKit('over Streamable HTTP', async () => {
  const port = await freePort();
  const args = [path, '--era', 'modern', '--http', String(port)];
  const child = spawn(process.execPath, args, { env: plainEnvironment(), cwd: projectDir, stdio: 'ignore' });
  try {
    const url = `http://127.0.0.1:${port}/mcp`;
    await waitUntil('it listens', () => fetch(url).then(() => true));

    const config = { name: 'modern', description: 'modern', transport: 'streamable_http', url };
    assert.match(await refusal(config), expected);
  } finally {
    child.kill('SIGKILL');
  }
});

test.run();
