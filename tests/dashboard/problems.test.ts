/** On the page, a server whose definitions break rules says so on its card, and names each in its drawer. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import * as assert from 'uvu/assert';
import { readServer } from '../support/manager-api.ts';
import { configFiles } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';
import { dashboardSuite } from './support/dashboard-suite.ts';
import { inspect } from './support/inspect.ts';
import { listingConfig, type Tool, writeTools } from './support/servers.ts';
import { words } from './support/words.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-problems-'));
const paths = { faulty: join(folder, 'faulty.json'), lawful: join(folder, 'lawful.json') };
const lawful: Tool = { name: 'lawful', inputSchema: { type: 'object' } };
const leftOut = { name: 'odd', inputSchema: { type: 'string' } };
writeTools(paths.faulty, [
  lawful,
  { name: 'mended', description: null, inputSchema: { type: 'object' } } as unknown as Tool,
  leftOut,
]);
writeTools(paths.lawful, [lawful]);
const configs = Object.entries(paths).map(([name, path]) =>
  listingConfig(name, path, { description: `Definitions that are ${name}` }),
);
const test = await dashboardSuite('problems of definitions', {
  service: { configs: configFiles(...configs) },
  close: async () => rmSync(folder, { recursive: true, force: true }),
});

const cardOf = (page: Page, server: string) =>
  page.$eval(`[data-server="${server}"]`, (card) => (card as HTMLElement).innerText);

test('the card counts them and the drawer has them in full; a lawful server says nothing', async ({
  visit,
  service,
}) => {
  const { problems } = await waitUntil('they are judged', async () => {
    const record = await readServer(service, 'faulty');
    return record?.problems?.length === 2 && record;
  });
  const { user, page } = await visit();
  await user.reads('2 problems in its definitions');
  assert.match(await cardOf(page, 'faulty'), /Definitions that are faulty\s+2 problems in its definitions/);
  assert.not.match(await cardOf(page, 'lawful'), /problem/);
  await user.seesNo('checkbox', words.tool('faulty__odd'));
  await inspect(page, 'problems-card');

  await user.presses('button', words.serverRow('faulty'));
  for (const problem of problems) await user.reads(problem);
  await inspect(page, 'problems-drawer');
});

test('they change live, and go when the server mends its definitions', async ({ visit }) => {
  const { user, page } = await visit();
  writeTools(paths.faulty, [lawful, leftOut]);
  await user.reads('1 problem in its definitions', 20_000);

  writeTools(paths.faulty, [lawful]);

  await waitUntil('the card is clear', async () => !/problem/.test(await cardOf(page, 'faulty')), {
    limitMs: 20_000,
  });
});

test.run();
