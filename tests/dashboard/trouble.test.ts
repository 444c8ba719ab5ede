/** When things are down the page says which, and keeps what it knows. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import * as assert from 'uvu/assert';
import { startPostgres } from '../support/postgres.ts';
import { runService } from '../support/run-service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { dashboardSuite } from './support/dashboard-suite.ts';
import { inspect } from './support/inspect.ts';
import { officialService } from './support/servers.ts';
import { words } from './support/words.ts';

const postgres = await startPostgres();
const test = await dashboardSuite('trouble', {
  start: async () => {
    const database = (await postgres?.createDatabase('dashboard')) ?? 'embedded';
    return await runService({
      ...officialService,
      database,
      env: { DOCKER_HOST: 'unix:///nowhere/engine.sock' },
    });
  },
  close: async () => postgres?.stop('immediate'),
});
const down = /ERR_|Failed to load|status of 5\d\d/;

test('a group file that cannot be read is told, and its last good version goes on', async ({
  visit,
  service,
}) => {
  const { user, page } = await visit({ expects: down });
  const path = join(service.groupsDir, 'svc-global.json');
  writeFileSync(path, '{"name": "svc-global", ');

  await user.reads(/svc-global/);
  await user.reads(/The file of svc-global cannot be used/);
  await user.seesChecked(words.tool('everything__echo'), true);
  await inspect(page, 'group-problem');

  writeFileSync(path, JSON.stringify({ name: 'svc-global', included_tools: ['memory__read_graph'] }));
  await user.seesChecked(words.tool('memory__read_graph'), true);
});

test('a folder of config files that is away is told, and its servers go on', async ({ visit, service }) => {
  const { user, page } = await visit({ expects: down });

  renameSync(service.configsDir, `${service.configsDir}-away`);
  await user.reads(/folder of registration configs \(CONFIGS_DIR\) is missing/, 40_000);
  await user.sees('checkbox', words.tool('memory__read_graph'));
  await inspect(page, 'config-folder-away');
  renameSync(`${service.configsDir}-away`, service.configsDir);

  await user.readsNo(/CONFIGS_DIR/, 40_000);
});

test('a dialog whose code did not come is tried again, at once and then until it is here', async ({
  visit,
}) => {
  const { user, page } = await visit({ expects: down });
  const cut = new Set(['add-server.js', 'job-view.js', 'dialogs.css']);
  const failed: string[] = [];
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const file = request.url().split('/').at(-1) ?? '';
    if (!cut.has(file)) return void request.continue();
    failed.push(file);
    if (file !== 'job-view.js') cut.delete(file);
    void request.abort('failed');
  });

  await user.presses('button', words.addServer);
  await user.reads(/This opens once it does/);
  await inspect(page, 'dialog-not-loaded');
  assert.ok(failed.filter((file) => file === 'job-view.js').length >= 1, `${failed}`);
  cut.clear();

  await user.presses('tab', words.imageTab);
  await user.writes('Name', 'at-last');
});

test('entries of a group that are not clear are told, the first one at length', async ({
  visit,
  service,
}) => {
  const { user, page } = await visit({ expects: down });
  const documents = ['architecture', 'features', 'instructions'];
  const group = {
    name: 'research',
    included_tools: ['memory__read_graph'],
    included_resources: documents.map((name) => `demo://resource/static/document/${name}.md`),
  };
  writeFileSync(join(service.groupsDir, 'research.json'), JSON.stringify(group));

  await user.chooses(words.group, 'research');

  await user.reads(/is listed by no server of this group/, 20_000);
  await user.reads(/The log has 2 more/);
  await inspect(page, 'unclear-entries');
});

test('without a container engine the page only says so where it matters', async ({ visit }) => {
  const { user } = await visit({ expects: down });

  await user.presses('button', words.addServer);
  await user.presses('tab', words.imageTab);

  await user.reads(/engine/i, 20_000);
});

if (postgres) {
  test('a database that is away is told, and gone again when it is back', async ({ visit }) => {
    const { user, page } = await visit({ expects: down });

    await postgres.stop('immediate');
    await user.reads(words.databaseAway, 30_000);
    await user.sees('checkbox', words.tool('memory__read_graph'));
    await inspect(page, 'database-away');
    await postgres.start();

    await user.readsNo(words.databaseAway, 30_000);
  });
}

test('a manager that does not answer is told; what is known and what was ticked stays', async ({
  visit,
  service,
}) => {
  const { user, page } = await visit({ expects: down });
  await user.presses('checkbox', words.tool('everything__get-sum'));

  await service.kill9();
  await user.reads(words.unreachable, 20_000);
  await user.sees('checkbox', words.tool('filesystem__read_text_file'));
  await user.seesChecked(words.tool('everything__get-sum'), true);
  await inspect(page, 'manager-away');
  await user.presses('button', words.save);
  await user.reads(/not saved/i);
  await service.restart();

  await user.readsNo(words.unreachable, 30_000);
  await user.seesChecked(words.tool('everything__get-sum'), true);
  await waitUntil('its tools are listed again', async () => {
    const answer = await fetch(`${service.managerUrl}/api/tools`);
    return Object.keys((await answer.json()).servers).length === 3;
  });
  await user.presses('button', words.save);
  await user.reads(words.saved, 15_000);
});

test('the configuration of a group is that of no other, and comes when the manager is back', async ({
  visit,
  service,
}) => {
  const { user, page } = await visit({ expects: down });
  const snippet = () => snippetOf(page);
  await waitUntil('it is there', async () => (await snippet()).includes(service.groupUrl('svc-global')));

  await service.kill9();
  await user.reads(words.unreachable, 20_000);
  await user.chooses(words.group, 'research');
  await user.reads(service.groupUrl('research'));
  assert.is(await snippet(), 'none');
  await service.restart();

  await waitUntil('its own is there', async () => (await snippet()).includes(service.groupUrl('research')), {
    limitMs: 30_000,
  });
});

test('a configuration that got lost on its way is asked for again', async ({ visit, service }) => {
  const { user, page } = await visit({ expects: down });
  let isLost = false;
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const isFirst = !isLost && request.url().endsWith('/clients');
    isLost ||= isFirst;
    void (isFirst ? request.abort() : request.continue());
  });

  await user.chooses(words.group, 'research');

  await waitUntil('it is there', async () => (await snippetOf(page)).includes(service.groupUrl('research')));
  assert.ok(isLost);
});

function snippetOf(page: Page): Promise<string> {
  return page.$eval('.connect', (panel) => panel.querySelector('pre')?.innerText ?? 'none');
}

test.run();
