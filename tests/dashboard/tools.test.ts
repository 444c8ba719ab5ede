/** Tools by server: what is listed, and how a selection is made and kept. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { manage, replaceTools } from '../support/manager-api.ts';
import type { RunningService } from '../support/run-service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { dashboardSuite } from './support/dashboard-suite.ts';
import { inspect } from './support/inspect.ts';
import { officialService } from './support/servers.ts';
import { words } from './support/words.ts';

const test = await dashboardSuite('tools by server', { service: officialService });
const atFirst = ['everything__echo', 'filesystem__read_text_file'];

const included = (service: RunningService): string[] =>
  JSON.parse(readFileSync(join(service.groupsDir, 'svc-global.json'), 'utf8')).included_tools;

test('every tool of every server is listed, ticked when the group has it', async ({ visit, service }) => {
  await replaceTools(service, 'svc-global', atFirst);
  const { user, page } = await visit();

  for (const tool of atFirst) await user.seesChecked(words.tool(tool), true);
  assert.is(await user.checked(words.tool('memory__read_graph')), false);
  const { servers } = await manage(service, 'GET', '/api/tools');
  const shown = await page.$$eval('[type=checkbox]', (boxes) => boxes.length);
  const tools = Object.values<unknown[]>(servers).flat().length;
  assert.is(shown, tools + Object.keys(servers).length);
  await inspect(page, 'tools');
});

test('a server says how many of its tools are in the group, and its box is ticked, mixed or empty', async ({
  visit,
  service,
}) => {
  await replaceTools(service, 'svc-global', atFirst);
  const { user } = await visit();
  await user.seesChecked(words.server('filesystem'), 'mixed');
  await user.seesChecked(words.server('memory'), false);
  await user.reads(/1 of 14/);

  await user.presses('checkbox', words.server('memory'));
  await user.seesChecked(words.tool('memory__read_graph'), true);
  await user.seesChecked(words.server('memory'), true);
  await user.reads(/9 of 9/);
  await user.presses('checkbox', words.tool('memory__read_graph'));
  await user.seesChecked(words.server('memory'), 'mixed');
  await user.reads(/8 of 9/);
});

test('the filter narrows the list, and select and clear all act within it', async ({ visit, service }) => {
  await replaceTools(service, 'svc-global', atFirst);
  const { user, page } = await visit();

  await user.writes(words.filter, 'directory', 'searchbox');
  await user.seesNo('checkbox', words.tool('everything__echo'));
  await user.sees('checkbox', words.tool('filesystem__list_directory'));
  await inspect(page, 'filter');
  await user.presses('button', words.selectShown);
  await user.seesChecked(words.tool('filesystem__create_directory'), true);
  await user.presses('button', words.save);
  await user.reads(words.saved);

  const kept = included(service);
  assert.ok(kept.includes('filesystem__create_directory'), `${kept}`);
  assert.ok(!kept.includes('filesystem__write_file'), `${kept}`);
  for (const tool of atFirst) assert.ok(kept.includes(tool), `${kept}`);

  await user.presses('button', words.clearShown);
  await user.presses('button', words.save);
  await waitUntil('it is saved', () => !included(service).includes('filesystem__create_directory'));
  assert.equal([...included(service)].sort(), atFirst);
});

test("with a filter a server's box tells of all its tools, and acts on those that are shown", async ({
  visit,
  service,
}) => {
  await replaceTools(service, 'svc-global', atFirst);
  const { user, page } = await visit();
  const { servers } = await manage(service, 'GET', '/api/tools');
  const files: { name: string; description: string }[] = servers.filesystem;
  const fits = files.filter((tool) => `${tool.name} ${tool.description}`.toLowerCase().includes('create'));
  const [count, all] = [fits.length, files.length];
  assert.ok(count > 1 && count < all && !fits.some(({ name }) => atFirst.includes(name)), `${count}`);
  await user.writes(words.filter, 'create', 'searchbox');
  const shown = words.shownOf('filesystem', count);
  const says = (on: number) => user.reads(`${count} of ${all} shown · ${on} of ${all} in group`);
  const isMixed = () =>
    page.$eval('#tools-of-filesystem .pick-all input', (box) => box.matches(':indeterminate'));
  await says(1);
  await user.seesChecked(shown, 'mixed');

  await user.presses('checkbox', shown);
  await user.seesChecked(words.tool('filesystem__create_directory'), true);
  await says(count + 1);
  assert.ok(await isMixed());
  await inspect(page, 'filter-and-tick');

  await user.presses('checkbox', shown);
  await user.seesChecked(words.tool('filesystem__create_directory'), false);
  await says(1);
  assert.ok(await isMixed());
  await user.seesNo('button', words.save);
});

test('a tick is an unsaved change until Save writes it to the group file, and survives a reload', async ({
  visit,
  service,
}) => {
  await replaceTools(service, 'svc-global', atFirst);
  const { user, page } = await visit();

  await user.presses('checkbox', words.tool('everything__echo'));
  await user.presses('checkbox', words.tool('memory__read_graph'));
  await user.presses('checkbox', words.tool('memory__search_nodes'));
  await user.reads(/3 changes/);
  await user.reads(/\+\s?2/);
  await user.reads(/[−-]\s?1/);
  assert.equal(included(service), atFirst);
  await inspect(page, 'unsaved');

  await user.presses('button', words.save);
  await user.reads(words.saved);
  const expected = ['filesystem__read_text_file', 'memory__read_graph', 'memory__search_nodes'];
  assert.equal(included(service), expected);

  await page.reload();
  await user.seesChecked(words.tool('memory__read_graph'), true);
  await user.seesChecked(words.tool('everything__echo'), false);
  await user.seesNo('button', words.save);
});

test('Undo after Save brings the earlier list back', async ({ visit, service }) => {
  await replaceTools(service, 'svc-global', atFirst);
  const { user, page } = await visit();
  await user.presses('checkbox', words.tool('everything__echo'));
  await user.presses('button', words.save);
  await user.reads(words.saved);
  assert.equal(included(service), ['filesystem__read_text_file']);
  await inspect(page, 'saved');

  await user.presses('button', words.undo);

  await user.seesChecked(words.tool('everything__echo'), true);
  await waitUntil('the file is as before', () => included(service).length === 2);
  assert.equal(included(service), atFirst);
});

test('Discard takes back what was not saved', async ({ visit, service }) => {
  await replaceTools(service, 'svc-global', atFirst);
  const { user } = await visit();
  await user.presses('checkbox', words.tool('everything__echo'));

  await user.presses('button', words.discard);

  await user.seesChecked(words.tool('everything__echo'), true);
  await user.seesNo('button', words.save);
  assert.equal(included(service), atFirst);
});

test('leaving asks only while there are unsaved changes', async ({ visit }) => {
  const { user, page } = await visit();
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    dialog.accept();
  });

  await page.reload();
  assert.equal(asked, []);
  await user.presses('checkbox', words.tool('memory__open_nodes'));
  await user.sees('button', words.save);
  await page.reload();
  assert.equal(asked, ['beforeunload']);
});

test('the whole description and the schema are shown on demand', async ({ visit }) => {
  const { user, page } = await visit();
  await user.readsNo(/"properties"/);

  await user.presses('button', words.details('filesystem__read_text_file'));

  await user.reads(/Read the complete contents of a file/);
  await user.reads(/"properties"/);
  await user.reads(/"head"/);
  await inspect(page, 'tool-details');
});

test('tokens are estimated for a tool, a server and the group', async ({ visit, service }) => {
  await replaceTools(service, 'svc-global', atFirst);
  const { servers } = await manage(service, 'GET', '/api/tools');
  const of = (tool: string): number =>
    Object.values<{ name: string; token_estimate: number }[]>(servers)
      .flat()
      .find(({ name }) => name === tool)?.token_estimate ?? 0;
  const { user } = await visit();

  const text = await user.reads(/tokens/);
  assert.match(text, new RegExp(`${of('everything__echo')}\\D`));
  const sum = of('everything__echo') + of('filesystem__read_text_file');
  await user.reads(new RegExp(`${sum}\\D+tokens`));
});

test.run();
