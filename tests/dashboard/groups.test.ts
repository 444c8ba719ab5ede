/** Groups: switched, made, described, renamed, deleted, and what an agent needs to use one. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import * as assert from 'uvu/assert';
import { manage } from '../support/manager-api.ts';
import { waitUntil } from '../support/wait-until.ts';
import { dashboardSuite } from './support/dashboard-suite.ts';
import { inspect } from './support/inspect.ts';
import { officialService, twoGroups } from './support/servers.ts';
import { words } from './support/words.ts';

const test = await dashboardSuite('groups', { service: officialService });

const groupsOn = (page: Page) => page.$$eval('#group option', (all) => all.map(({ value }) => value));

test('switching shows the tools, the file and the endpoint of the other group', async ({
  visit,
  service,
}) => {
  const { user } = await visit();
  await user.reads(service.groupUrl('svc-global'));

  await user.chooses(words.group, 'research');

  await user.seesChecked(words.tool('memory__read_graph'), true);
  await user.seesChecked(words.tool('everything__echo'), false);
  await user.reads(service.groupUrl('research'));
  await user.reads('research.json');
  await user.reads(twoGroups.research.description);
});

test('the endpoint and ready configurations for the common clients can be copied', async ({
  visit,
  service,
}) => {
  const { user, page } = await visit();
  await page
    .browserContext()
    .overridePermissions(service.managerUrl, ['clipboard-read', 'clipboard-sanitized-write']);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());

  await user.presses('button', words.copyEndpoint);
  await waitUntil('it is copied', async () => (await copied()) === service.groupUrl());
  for (const client of words.clients) {
    await user.presses('tab', client);
    await waitUntil(`the panel of ${client} names the endpoint`, () =>
      page.$eval(
        '[role="tabpanel"]',
        (panel, [source, flags, endpoint]) => {
          const tab = document.getElementById(panel.getAttribute('aria-labelledby') ?? '');
          const isShown = new RegExp(source, flags).test(tab?.innerText ?? '');
          return isShown && panel.querySelector('pre')?.innerText.includes(endpoint);
        },
        [client.source, client.flags, service.groupUrl()] as const,
      ),
    );
  }
  await user.presses('tab', /cursor/i);
  await user.presses('button', words.copySnippet);
  const snippet = await waitUntil('the snippet is copied', async () => {
    const text = await copied();
    return text.includes('mcpServers') && text;
  });
  assert.match(snippet, service.groupUrl());
  await inspect(page, 'connect');
});

test('a new group starts empty', async ({ visit, service }) => {
  const { user } = await visit();
  await user.presses('button', words.newGroup);
  await user.writes(/name/i, 'fresh');
  await user.presses('button', words.createGroup);

  await user.reads(service.groupUrl('fresh'));
  assert.equal((await manage(service, 'GET', '/api/groups/fresh/tools')).tools, []);
});

test('a group is renamed with its unsaved ticks, and the page goes on with the new name', async ({
  visit,
  service,
}) => {
  await manage(service, 'POST', '/api/groups/before', { tools: ['everything__echo'] });
  const { user, page } = await visit({ path: '/#before', expects: /status of 409/ });
  await user.sees('heading', 'Tools of before');
  await user.presses('checkbox', words.tool('memory__read_graph'));

  await user.presses('button', words.renameGroup);
  await user.sees('dialog', /rename before/i);
  assert.is(
    await user.focus(),
    'textbox Name Names the file and the address: letters, digits, “.”, “-”, “_”.',
  );
  await user.writes(/name/i, 'research');
  await user.presses('button', words.confirmRename);
  await user.reads(/exists already/);
  assert.is(await user.focus(), 'button Rename group');
  await user.writes(/name/i, 'after');
  await inspect(page, 'rename-group');
  await user.presses('button', words.confirmRename);

  await user.sees('heading', 'Tools of after');
  await user.reads(service.groupUrl('after'));
  await user.seesChecked(words.tool('everything__echo'), true);
  await user.seesChecked(words.tool('memory__read_graph'), true);
  await waitUntil('the address says so', () => page.url().endsWith('#after'));
  await waitUntil('the list says so', async () => {
    const names = await groupsOn(page);
    return names.includes('after') && !names.includes('before');
  });
  await user.presses('button', words.save);
  await user.reads(words.saved);
  assert.equal((await manage(service, 'GET', '/api/groups/after/tools')).tools, [
    'everything__echo',
    'memory__read_graph',
  ]);
  assert.equal(
    [existsSync(join(service.groupsDir, 'before.json')), existsSync(join(service.groupsDir, 'after.json'))],
    [false, true],
  );
  await manage(service, 'DELETE', '/api/groups/after');
});

test('copying works where the clipboard interface is missing, as over plain HTTP', async ({ visit }) => {
  const { user, page } = await visit();
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));

  await user.presses('button', words.copyEndpoint);

  await user.sees('button', /^Copied/);
});

test('a new group starts as a copy where that is chosen, is described, and is deleted again', async ({
  visit,
  service,
}) => {
  const { user, page } = await visit();
  await user.presses('button', words.newGroup);
  await user.writes(/name/i, 'copied');
  await user.presses('radio', words.startAsCopy);
  await inspect(page, 'new-group');
  await user.presses('button', words.createGroup);

  await user.reads(service.groupUrl('copied'));
  const made = await manage(service, 'GET', '/api/groups/copied/tools');
  assert.equal(made.tools, twoGroups['svc-global'].included_tools);

  await user.presses('button', words.describeGroup);
  await user.writes(/description/i, 'What the copying agent may do');
  await user.presses('button', words.saveDescription);
  await user.reads('What the copying agent may do');
  await waitUntil('it is in the file', () =>
    readFileSync(join(service.groupsDir, 'copied.json'), 'utf8').includes('What the copying agent may do'),
  );

  await user.presses('button', words.deleteGroup);
  await user.sees('dialog', /delete/i);
  await user.reads('copied.json');
  await inspect(page, 'delete-group');
  await user.presses('button', words.confirmDelete);
  await waitUntil('the file is gone', () => !existsSync(join(service.groupsDir, 'copied.json')));
  await user.reads(service.groupUrl('svc-global'));
  await waitUntil('the dialog is closed', async () => (await page.$('dialog[open]')) === null);
  assert.is(await page.evaluate(() => document.activeElement?.tagName), 'MAIN');
});

test('a name that is taken or not allowed is said in the dialog, and what was typed stays', async ({
  visit,
}) => {
  const { user, page } = await visit({ expects: /status of 4\d\d/ });
  await user.presses('button', words.newGroup);

  await user.writes(/name/i, 'research');
  await user.presses('button', words.createGroup);

  await user.reads(/exists|taken/i);
  await user.sees('dialog', /group/i);
  const kept = await page.$$eval('dialog input', (fields) => fields.map((field) => field.value));
  assert.ok(kept.includes('research'), `${kept}`);
  const refused = (name: string) =>
    page.$eval(
      'dialog input[name=name]',
      (field, typed) => {
        field.value = typed;
        return field.validity.patternMismatch;
      },
      name,
    );
  await waitUntil('the rule of the manager is known', () => refused('a..b'));
  assert.is(await refused('.a'), true);
  assert.is(await refused('Team-1.new_x'), false);
  assert.equal(await page.$eval('dialog [name=name]', (field) => field.getAttribute('maxlength')), '64');
});

test('the default group can be neither deleted nor renamed', async ({ visit }) => {
  const { user, page } = await visit();
  await waitUntil('the groups are known', async () => (await groupsOn(page)).includes('research'));
  await user.chooses(words.group, 'research');
  await user.sees('button', words.deleteGroup);

  await user.chooses(words.group, 'svc-global');

  await user.sees('heading', 'Tools of svc-global');
  const buttons = await page.$$eval('button:not(:disabled)', (all) => all.map((one) => one.innerText));
  assert.not(
    buttons.some((text) => words.deleteGroup.test(text) || words.renameGroup.test(text)),
    `${buttons}`,
  );
});

test('a group made by somebody else appears, and one that is deleted is left', async ({ visit, service }) => {
  const { user, page } = await visit();
  await manage(service, 'POST', '/api/groups/elsewhere', { tools: ['everything__get-sum'] });
  await waitUntil('it is among the groups', async () => (await groupsOn(page)).includes('elsewhere'));
  await user.chooses(words.group, 'elsewhere');
  // Ticked in this group alone: until then the page still fetches it, and would be told that it is gone.
  await user.seesChecked(words.tool('everything__get-sum'), true);
  await user.seesChecked(words.tool('filesystem__read_text_file'), false);

  await manage(service, 'DELETE', '/api/groups/elsewhere');

  await waitUntil('it is gone', async () => !(await groupsOn(page)).includes('elsewhere'));
});

test.run();
