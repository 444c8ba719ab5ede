/** Tools whose names model providers refuse: marked, shown to agents by another name with one press, and back. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import * as assert from 'uvu/assert';
import { manage, replaceTools } from '../support/manager-api.ts';
import { connectClient } from '../support/mcp-client.ts';
import type { RunningService } from '../support/run-service.ts';
import { configFiles } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';
import { seesBadge } from './support/badges.ts';
import { dashboardSuite } from './support/dashboard-suite.ts';
import { inspect } from './support/inspect.ts';
import { listingConfig, writeTools } from './support/servers.ts';
import { words } from './support/words.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-names-'));
const path = join(folder, 'go.json');
/** Those of the example server of the official Go SDK that break the rule, and two beside them. */
const refused = [
  'greet (structured)',
  'greet (content with ResourceLink)',
  'elicit (form)',
  'elicit (url)',
  'sample (with progress)',
];
const [greet, elicit] = ['go__greet (structured)', 'go__elicit (form)'];
const long = 'go__of_more_than_sixty_characters_that_some_clients_drop_silently';
const tool = (name: string) => ({ name, description: `Does ${name}`, inputSchema: { type: 'object' } });
const lawful = ['greet', 'ping'].map(tool);
const all = [...lawful, ...[...refused, long.slice(4)].map(tool)];

writeTools(path, lawful);
const test = await dashboardSuite('names', {
  service: {
    configs: configFiles(listingConfig('go', path)),
    groups: { 'svc-global': { name: 'svc-global', included_tools: [] } },
  },
  close: async () => rmSync(folder, { recursive: true, force: true }),
});

/** Without a name given to any of them. */
async function putAllIn(service: RunningService): Promise<void> {
  writeTools(path, all);
  await waitUntil('they are listed', async () => (await listed(service)).length === all.length);
  await service.cli(['expose', 'go', '--reset']);
  await replaceTools(
    service,
    'svc-global',
    all.map(({ name }) => `go__${name}`),
  );
}

async function listed(service: RunningService): Promise<{ name: string; exposed_name?: string }[]> {
  return (await manage(service, 'GET', '/api/tools')).servers.go ?? [];
}

/** As an agent of the official SDK sees them. */
async function seenByAgents(service: RunningService): Promise<string[]> {
  const { client, close } = await connectClient(service.groupUrl());
  const { tools } = await client.listTools();
  await close();
  return tools.map(({ name }) => name);
}

const isLoaded = (page: Page) =>
  page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => /name-mark/.test(name)));

test('where all names are well nothing of it is loaded, and a mark comes with the first that is not', async ({
  visit,
  service,
}) => {
  const { page, user } = await visit();
  await user.sees('checkbox', 'go__ping');
  assert.is(await isLoaded(page), false);

  await putAllIn(service);

  await seesBadge(page, greet, 'name refused');
  await seesBadge(page, long, 'long name');
  assert.is(await isLoaded(page), true);
  await user.seesNo('button', words.rename('go__ping'));
});

test('the reason is told, one press gives another name, and one takes it back', async ({
  visit,
  service,
}) => {
  await putAllIn(service);
  const { page, user } = await visit();
  await user.presses('button', words.details(greet));
  await user.reads('Model providers refuse its name because of " ", "(", ")"');
  await inspect(page, 'refused-names');

  await user.presses('button', words.rename(greet));

  await user.reads(`see ${greet} as go_greet_structured.`);
  await seesBadge(page, greet, 'renamed');
  assert.ok((await seenByAgents(service)).includes('go_greet_structured'));
  await inspect(page, 'renamed-tool');
  await user.presses('button', words.fullName(greet));
  await user.reads(`see ${greet} by its full name.`);
  await seesBadge(page, greet, 'name refused');
  assert.ok((await seenByAgents(service)).includes(greet));
});

test('with the keyboard alone, the focus stays in the row', async ({ visit, service }) => {
  await putAllIn(service);
  const { page, user } = await visit();
  await (await user.sees('button', words.rename(elicit))).focus();
  await page.keyboard.press('Enter');

  await seesBadge(page, elicit, 'renamed');
  assert.is(await user.focus(), `button ${words.details(elicit)}`);
  await page.keyboard.press('Enter');
  const back = await user.sees('button', words.fullName(elicit));
  await back.focus();
  await page.keyboard.press('Space');

  await seesBadge(page, elicit, 'name refused');
  assert.match(await user.focus(), elicit);
});

test('unsaved ticks stay, and are saved after it', async ({ visit, service }) => {
  await putAllIn(service);
  const { page, user } = await visit();
  await user.presses('checkbox', words.tool('go__ping'));
  await user.presses('button', words.rename(greet));
  await seesBadge(page, greet, 'renamed');
  await user.seesChecked(words.tool('go__ping'), false);
  await user.presses('button', words.save);
  await user.reads(words.saved);

  const seen = await seenByAgents(service);
  assert.ok(!seen.includes('go__ping') && seen.includes('go_greet_structured'), `${seen}`);
});

test('a refusal is told, and the name stays', async ({ visit, service }) => {
  await putAllIn(service);
  const { page, user } = await visit({ expects: /409/ });
  await user.sees('button', words.rename(greet));
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const isAct = request.url().endsWith('/expose');
    const body = JSON.stringify({ success: false, code: 'conflict', error: 'That name is taken.' });
    void (isAct
      ? request.respond({ status: 409, contentType: 'application/json', body })
      : request.continue());
  });
  await user.presses('button', words.rename(greet));

  await user.reads('Not renamed. That name is taken.');
  await seesBadge(page, greet, 'name refused');
});

test.run();
