/** Everything can be reached and done with the keyboard alone, and the focus is never lost. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { replaceTools, switchTool } from '../support/manager-api.ts';
import { waitUntil } from '../support/wait-until.ts';
import { dashboardSuite } from './support/dashboard-suite.ts';
import type { Visit } from './support/open-page.ts';
import { officialService } from './support/servers.ts';
import { words } from './support/words.ts';

const test = await dashboardSuite('keyboard', { service: officialService });

/** Presses Tab until that has the focus. */
async function tabTo({ page, user }: Visit, wanted: RegExp, limit = 60): Promise<void> {
  const met: string[] = [];
  for (let step = 0; step < limit; step += 1) {
    await page.keyboard.press('Tab');
    const focus = await user.focus();
    if (wanted.test(focus)) return;
    met.push(focus);
  }
  throw new Error(`${wanted} was not reached by Tab: ${met.join(' → ')}`);
}

test('a tool is ticked and saved without a mouse', async ({ visit, service }) => {
  await replaceTools(service, 'svc-global', []);
  const opened = await visit();

  await tabTo(opened, /checkbox everything__echo/);
  await opened.page.keyboard.press('Space');
  await opened.user.seesChecked(words.tool('everything__echo'), true);
  await opened.user.sees('button', words.save);
  await tabTo(opened, /button Save/, 200);
  await opened.page.keyboard.press('Enter');

  await opened.user.reads(words.saved);
  const file = JSON.parse(readFileSync(join(service.groupsDir, 'svc-global.json'), 'utf8'));
  assert.equal(file.included_tools, ['everything__echo']);
  assert.is.not(await opened.user.focus(), 'nothing');
});

test('every stop of the keyboard can be seen', async ({ visit }) => {
  const { page } = await visit();
  for (let step = 0; step < 25; step += 1) {
    await page.keyboard.press('Tab');
    const shown = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return 'left the page';
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      const isMarked = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
      const { width, height } = element.getBoundingClientRect();
      return isMarked && width > 0 && height > 0 ? 'seen' : element.outerHTML.slice(0, 200);
    });
    assert.ok(shown === 'seen' || shown === 'left the page', shown);
  }
});

for (const [what, button] of [
  ['the dialog for a new server', words.addServer],
  ['the dialog for a new group', words.newGroup],
  ["a server's drawer", words.serverRow('memory')],
] as const) {
  test(`Escape closes ${what}, and the focus returns to what opened it`, async ({ visit }) => {
    const opened = await visit();
    await opened.user.sees('button', button);
    await tabTo(opened, new RegExp(`button .*(${button.source.replace('^', '')})`, button.flags));
    const opener = await opened.user.focus();

    await opened.page.keyboard.press('Enter');
    await waitUntil('it is open', () => opened.page.$('dialog[open]'));
    const inside = await opened.page.evaluate(() => document.activeElement?.closest('dialog') !== null);
    assert.ok(inside, 'the focus is inside');
    await opened.page.keyboard.press('Escape');

    await waitUntil('it is closed', async () => (await opened.page.$('dialog[open]')) === null);
    assert.is(
      (await opened.user.focus()).split(' ').slice(0, 2).join(' '),
      opener.split(' ').slice(0, 2).join(' '),
    );
  });
}

test('the focus stays where it is while others change the group', async ({ visit, service }) => {
  await replaceTools(service, 'svc-global', []);
  const { user, page } = await visit();
  await (await user.sees('checkbox', words.tool('memory__read_graph'))).focus();

  for (const isOn of [true, false, true]) {
    await switchTool(service, 'svc-global', 'everything__echo', isOn);
    await user.seesChecked(words.tool('everything__echo'), isOn);
    assert.is(await user.focus(), 'checkbox memory__read_graph');
  }
  await (await user.sees('searchbox', words.filter)).focus();
  await page.keyboard.type('gra');
  await switchTool(service, 'svc-global', 'memory__read_graph', true);
  await user.seesChecked(words.tool('memory__read_graph'), true);
  await page.keyboard.type('ph');
  const text = await page.$eval('input[type="search"]', (field) => (field as HTMLInputElement).value);
  assert.is(text, 'graph');
});

test.run();
