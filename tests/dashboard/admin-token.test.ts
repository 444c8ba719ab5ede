/** A page whose manager wants its admin token: asked for once, kept for its tab, enough to run commands. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { memoryPath } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';
import { dashboardSuite } from './support/dashboard-suite.ts';
import { inspect } from './support/inspect.ts';
import { listingConfig, writeTools } from './support/servers.ts';
import { words } from './support/words.ts';

const token = 'admin-token-of-this-test';
const test = await dashboardSuite('behind a token', { service: { env: { ADMIN_TOKEN: token } } });

test('the page asks once for the admin token, says where it is set, and keeps it for its tab', async ({
  visit,
}) => {
  const { user, page } = await visit({ expects: /status of 401/, settles: false });
  await user.sees('dialog', /token/i);
  await user.reads('ADMIN_TOKEN');
  await user.reads('grep ADMIN_TOKEN .env');
  await inspect(page, 'token');

  let attempts = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/events')) attempts += 1;
  });
  const stored = () => page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
  await user.writes(words.tokenField, 'wrong');
  await page.keyboard.press('Enter');
  await user.reads("That is not this gateway's admin token.");
  assert.not.match(await stored(), 'wrong');
  await waitUntil('the page pauses for seconds between its attempts', () => attempts === 3);
  await page.evaluate(() => {
    const banners: string[] = [];
    Object.assign(window, { banners });
    new MutationObserver(() => {
      const text = document.querySelector('.banners')?.textContent;
      if (text) banners.push(text);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await user.writes(words.tokenField, token);
  await page.keyboard.press('Enter');
  await user.reads(/\bLive\b/, 2_000);
  assert.equal(await page.evaluate(() => (window as unknown as { banners: string[] }).banners), []);
  await user.seesNo('dialog', /token/i);
  await user.sees('button', words.addServer);

  const kept = await page.evaluate(() => [
    JSON.stringify(sessionStorage),
    localStorage.length,
    document.cookie,
  ]);
  assert.equal(kept, [JSON.stringify({ 'admin-token': token }), 0, '']);
  await page.reload();
  await user.reads(/\bLive\b/);
  await user.sees('button', words.addServer);
  await user.seesNo('dialog', /token/i);
});

test('a token that is remembered and was changed is forgotten, and asked for', async ({ visit }) => {
  const { user, page } = await visit({ expects: /status of 401/, settles: false });
  await user.sees('dialog', /token/i);
  await page.evaluate(() => sessionStorage.setItem('admin-token', 'of-before'));
  await page.reload();

  await user.reads("That is not this gateway's admin token.");

  assert.is(await page.evaluate(() => sessionStorage.length), 0);
  await user.writes(words.tokenField, token);
  await page.keyboard.press('Enter');
  await user.reads(/\bLive\b/);
});

test('with the token a command is registered from the page', async ({ visit, service }) => {
  const { user, page } = await visit({ expects: /status of 401/, settles: false });
  await user.writes(words.tokenField, token);
  await page.keyboard.press('Enter');
  await user.presses('button', words.addServer);
  await user.presses('tab', words.commandTab);
  await user.writes('Name', 'by-command');
  await user.writes('Command', `node ${memoryPath}`);
  await user.presses('button', /\+ variable/i);
  await user.writes('Variable 1: name', 'MEMORY_FILE_PATH');
  const [value] = await page.$$('dialog input[type="password"]');
  await value?.type(join(service.dir, 'memory.json'));

  await user.presses('button', words.addNow);

  await user.reads(/by-command is here with 9 tools/, 15_000);
  assert.ok(existsSync(join(service.configsDir, 'by-command.json')));
});

test('what agents get otherwise is told when a server is added, with a command that works', async ({
  visit,
  service,
}) => {
  const path = join(service.dir, 'odd.json');
  writeTools(path, [
    { name: 'dotted.name', inputSchema: { type: 'object' } },
    { name: 'odd', inputSchema: { type: 'string' } },
  ]);
  const { command, args } = listingConfig('odd', path) as unknown as { command: string; args: string[] };
  const { user, page } = await visit({ expects: /status of 401/, settles: false });
  await user.writes(words.tokenField, token);
  await page.keyboard.press('Enter');
  await user.presses('button', words.addServer);
  await user.presses('tab', words.commandTab);
  await user.writes('Name', 'odd');
  await user.writes('Command', [command, ...args].join(' '));

  await user.presses('button', words.addNow);

  await user.reads(/odd is here with 1 tool/, 15_000);
  await user.reads(/bin\/svc-mcp\.js expose odd`/);
  await user.reads('1 problem in its definitions');
  await user.reads('The tool "odd" was left out');
  await inspect(page, 'add-odd-done');
});

test.run();
