/** What a first visitor meets: the shipped files, the embedded database, one start, and plain HTTP calls. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSession } from '../support/mcp-client.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { projectDir } from '../support/service-command.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('a first visit');
const copy = mkdtempSync(join(tmpdir(), 'svc-shipped-'));
const folders = { groupsDir: join(copy, 'groups'), configsDir: join(copy, 'configs') };
let service: RunningService;

test.before(async () => {
  cpSync(join(projectDir, 'groups'), folders.groupsDir, { recursive: true });
  cpSync(join(projectDir, 'configs'), folders.configsDir, { recursive: true });
  service = await runService({ database: 'embedded', shareFoldersWith: folders });
});

test.after(async () => {
  await service?.remove();
  rmSync(copy, { recursive: true, force: true });
});

test('within one start, three to five tools are listed at /mcp and can be called, without an Accept header', async () => {
  const session = await openSession(`${service.gatewayUrl}/mcp`);

  const names = await waitUntil('the tools are listed', async () => {
    const { body } = await session.request('tools/list');
    const listed: string[] = body.result.tools.map(({ name }: { name: string }) => name);
    return listed.length >= 3 ? listed : undefined;
  });
  const echoed = await session.request('tools/call', {
    name: 'everything__echo',
    arguments: { message: 'hi' },
  });
  const read = await session.request('tools/call', {
    name: 'filesystem__list_directory',
    arguments: { path: '.' },
  });

  assert.ok(names.length <= 5, `${names}`);
  assert.is(echoed.headers.get('content-type'), 'application/json');
  assert.equal(echoed.body.result.content, [{ type: 'text', text: 'Echo: hi' }]);
  assert.match(read.body.result.content[0].text, '[DIR] decisions');
});

test('the page and the flat list of all tools answer as well', async () => {
  const page = await fetch(`${service.managerUrl}/`);
  const all = await (await fetch(`${service.gatewayUrl}/api/v0/tools`)).json();

  assert.is(page.status, 200);
  assert.match(page.headers.get('content-type') ?? '', 'text/html');
  assert.ok(all.some(({ name }: { name: string }) => name === 'filesystem__write_file'));
});

test.run();
