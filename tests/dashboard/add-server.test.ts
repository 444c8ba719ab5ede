/** Adding a server by its address, as pasted JSON, or as a command on this host. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { readServer } from '../support/manager-api.ts';
import { configFiles, everythingPath, memoryPath, startEverything } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';
import { dashboardSuite } from './support/dashboard-suite.ts';
import { inspect } from './support/inspect.ts';
import type { Visit } from './support/open-page.ts';
import { words } from './support/words.ts';

const canary = 'canary-of-the-form';
const remote = await startEverything('streamableHttp');
const test = await dashboardSuite('add a server', {
  service: { configs: configFiles(), env: { ADMIN_TOKEN: undefined } },
  close: () => remote.kill(),
});
const refused = /status of 4\d\d/;

test('an empty page leads to the dialog, which Escape closes again', async ({ visit }) => {
  const { user, page } = await visit();
  await user.reads(/no server/i);
  await inspect(page, 'empty');

  await user.presses('button', words.addServer);
  await user.sees('dialog', words.addServer);
  await inspect(page, 'add-first');
  await user.presses('tab', words.imageTab);
  await user.sees('textbox', 'Image');
  await inspect(page, 'add-image');
  await page.keyboard.press('Escape');

  await user.seesNo('dialog', words.addServer);
  assert.match(await user.focus(), /add mcp server/i);
});

test('a server at an address is added, and its tools can be ticked at once', async ({ visit, service }) => {
  const { user, page } = await visit();
  await user.presses('button', words.addServer);
  await user.presses('tab', words.urlTab);
  await user.writes('Name', 'remote');
  await user.writes('Address', `http://127.0.0.1:${remote.port}/mcp`);
  await inspect(page, 'add-url');

  await user.presses('button', words.addNow);
  await user.reads(/remote is here with \d+ tools/, 15_000);
  await inspect(page, 'add-url-done');
  await page.keyboard.press('Escape');
  await user.presses('checkbox', words.tool('remote__echo'));
  await user.presses('button', words.save);

  await user.reads(words.saved);
  const group = JSON.parse(readFileSync(join(service.groupsDir, 'svc-global.json'), 'utf8'));
  assert.equal(group.included_tools, ['remote__echo']);
});

test('a name that is taken is asked about before anything is replaced', async ({ visit, service }) => {
  const { user, page } = await visit({ expects: refused });
  const url = (host: string) => `http://${host}:${remote.port}/mcp`;
  await user.presses('button', words.addServer);
  await user.presses('tab', words.urlTab);
  await user.writes('Name', 'remote');
  await user.writes('Address', url('localhost'));
  await user.presses('button', words.addNow);

  // Elsewhere, under a name that a group has ticked: nothing for a page without administration rights.
  await user.reads(/another program, image or address/);
  await user.reads(/svc-global: remote__echo/);
  await user.reads(/admin token/);
  await user.seesNo('button', /^replace/i);
  await inspect(page, 'add-url-taken-admin');
  await user.writes('Address', `${url('127.0.0.1')}?again=yes`);
  await user.presses('button', words.retry);

  await user.sees('button', 'Replace remote');
  await user.sees('button', 'Add it as remote-2');
  await inspect(page, 'add-url-taken');
  assert.not.match(readFileSync(join(service.configsDir, 'remote.json'), 'utf8'), 'again');
  await user.presses('button', 'Replace remote');

  await user.reads(/remote is here with \d+ tools/, 15_000);
  assert.match(readFileSync(join(service.configsDir, 'remote.json'), 'utf8'), 'again');
});

test('a name that is taken is left alone, and the server is added under a free one', async ({
  visit,
  service,
}) => {
  const { user } = await visit({ expects: refused });
  const before = readFileSync(join(service.configsDir, 'remote.json'), 'utf8');
  await user.presses('button', words.addServer);
  await user.presses('tab', words.urlTab);
  await user.writes('Name', 'remote');
  await user.writes('Address', `http://127.0.0.1:${remote.port}/mcp?other=yes`);
  await user.presses('button', words.addNow);
  await user.reads(/The name remote is taken/);

  await user.presses('button', 'Add it as remote-2');

  await user.reads(/remote-2 is here with \d+ tools/, 15_000);
  assert.is(readFileSync(join(service.configsDir, 'remote.json'), 'utf8'), before);
  assert.match(readFileSync(join(service.configsDir, 'remote-2.json'), 'utf8'), 'other=');
});

test('an address where nothing answers is said, input kept, and Retry works', async ({ visit }) => {
  const { user, page } = await visit({ expects: /status of 5\d\d|status of 4\d\d/ });
  await user.presses('button', words.addServer);
  await user.presses('tab', words.urlTab);
  await user.writes('Name', 'nowhere');
  await user.writes('Address', 'http://127.0.0.1:9/mcp');

  await user.presses('button', words.addNow);

  const retry = await user.sees('button', words.retry, 15_000);
  assert.ok(retry);
  await inspect(page, 'add-url-failed');
  const kept = await page.$$eval('dialog input', (fields) => fields.map(({ value }) => value));
  assert.ok(kept.includes('nowhere'), `${kept}`);
});

async function seeFocusAtName({ page, user }: Pick<Visit, 'page' | 'user'>): Promise<void> {
  await page.waitForSelector('[aria-invalid="true"]', { timeout: 3_000 });
  await waitUntil('the focus is there', async () => /Name/.test(await user.focus()));
}

test('a name that is not allowed and a missing address are said at their fields', async ({ visit }) => {
  const { user, page } = await visit();
  await user.presses('button', words.addServer);
  await user.presses('tab', words.urlTab);
  await user.writes('Name', 'not__allowed');

  await user.presses('button', words.addNow);

  await seeFocusAtName({ page, user });
});

test('who is faster than the rules of the manager waits for them', async ({ visit }) => {
  const { user, page } = await visit();
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const isOfRules = request.url().endsWith('/api/openapi.json');
    setTimeout(() => void request.continue(), isOfRules ? 1_000 : 0);
  });
  await user.presses('button', words.addServer);
  await user.presses('tab', words.urlTab);
  await user.writes('Name', 'not__allowed');

  await user.presses('button', words.addNow);

  await seeFocusAtName({ page, user });
});

test('a problem among what is advanced is shown, and stays in sight when it is corrected', async ({
  visit,
}) => {
  const { user, page } = await visit();
  const isOpen = () => page.$eval('dialog details', (it) => (it as HTMLDetailsElement).open);
  await user.presses('button', words.addServer);
  await user.presses('tab', words.imageTab);
  await user.writes('Name', 'advanced');
  await user.writes('Image', 'mcp/advanced:1');
  await page.click('dialog details summary');
  await user.writes(/^Port/, 'none');
  await page.click('dialog details summary');
  assert.not(await isOpen());

  await user.presses('button', words.addNow);
  await waitUntil('the focus is there', async () => /^textbox Port/.test(await user.focus()));
  assert.ok(await isOpen());
  await user.writes(/^Port/, '8080');

  await waitUntil('it is corrected', async () => (await page.$('[aria-invalid="true"]')) === null);
  assert.ok(await isOpen());
});

test('values of variables are masked, and not on the page after they were sent', async ({
  visit,
  service,
}) => {
  const { user, page } = await visit();
  await user.presses('button', words.addServer);
  await user.presses('tab', words.urlTab);
  await user.writes('Name', 'masked');
  await user.writes('Address', `http://127.0.0.1:${remote.port}/mcp`);
  await user.presses('button', /\+ header/i);
  await user.writes('Header 1: name', 'X-Secret');
  const [value] = await page.$$('dialog input[type="password"]');
  await value?.type(canary);

  await user.presses('button', words.addNow);
  await user.reads(/masked is here/, 15_000);

  assert.not.match(await page.content(), canary);
  const fields = await page.$$eval('input', (inputs) => inputs.map((input) => input.value));
  assert.not(fields.some((text) => text.includes(canary)));
  assert.match(readFileSync(join(service.dataDir, 'secrets.env'), 'utf8'), canary);
  assert.not.match(readFileSync(join(service.configsDir, 'masked.json'), 'utf8'), canary);
});

test('pasted JSON of another client is read, and a command shows the line for the terminal', async ({
  visit,
  service,
}) => {
  const { user, page } = await visit({ expects: refused });
  await user.presses('button', words.addServer);
  await user.presses('tab', words.pasteTab);
  const mcpServers = {
    pasted: { type: 'http', url: `http://127.0.0.1:${remote.port}/mcp` },
    local: { command: 'node', args: [memoryPath] },
  };

  await user.writes(/json|configuration/i, JSON.stringify({ mcpServers }, null, 2));
  await user.presses('button', words.readPasted);
  await user.reads(/pasted/);
  await user.reads(`node ${memoryPath}`);
  await user.reads('bin/svc-mcp.js import servers.json');
  await inspect(page, 'add-json');
  assert.is(await readServer(service, 'local'), undefined);
});

test('a pasted server whose name is taken replaces it only when that is ticked', async ({
  visit,
  service,
}) => {
  const { user, page } = await visit({ expects: refused });
  const url = `http://127.0.0.1:${remote.port}/mcp?pasted=yes`;
  const file = () => readFileSync(join(service.configsDir, 'remote.json'), 'utf8');
  await user.presses('button', words.addServer);
  await user.presses('tab', words.pasteTab);
  await user.writes(/json|configuration/i, JSON.stringify({ mcpServers: { remote: { url } } }));
  await user.presses('button', words.readPasted);
  await user.presses('button', /^add 1 server/i);

  await user.reads(/is there already/);
  await inspect(page, 'add-json-taken');
  assert.not.match(file(), 'pasted');
  await user.presses('checkbox', 'Replace remote');
  await user.presses('button', /^add 1 server/i);

  await user.reads(/Added, \d+ tools/, 15_000);
  assert.match(file(), 'pasted');
});

test('a pasted server whose name is taken is added under a free one when that is ticked', async ({
  visit,
  service,
}) => {
  const { user } = await visit({ expects: refused });
  const url = `http://127.0.0.1:${remote.port}/mcp?pasted=twice`;
  await user.presses('button', words.addServer);
  await user.writes(/json|configuration/i, JSON.stringify({ mcpServers: { remote: { url } } }));
  await user.presses('button', words.readPasted);
  await user.presses('button', /^add 1 server/i);
  await user.reads(/is there already/);

  await user.presses('checkbox', 'Add it as remote-3');
  await user.presses('button', /^add 1 server/i);

  await user.reads(/Added as remote-3, \d+ tools/, 15_000);
  assert.ok(existsSync(join(service.configsDir, 'remote-3.json')));
});

test('what a file of VS Code asks for is asked for, masked, and goes to the secrets', async ({
  visit,
  service,
}) => {
  const { user, page } = await visit();
  const input = (id: string) => `\${input:${id}}`;
  const text = `{
  // Of this folder.
  "inputs": [
    { "type": "promptString", "id": "key", "description": "Key of the service", "password": true },
    { "type": "pickString", "id": "region", "description": "Region", "options": ["eu", "us"] },
  ],
  "servers": {
    "asking": {
      "type": "http",
      "url": "http://127.0.0.1:${remote.port}/mcp",
      "headers": { "X-Key": "${input('key')}", "X-Region": "${input('region')}" },
    },
  },
}`;
  await user.presses('button', words.addServer);
  await user.writes(/json|configuration/i, text);
  await user.presses('button', words.readPasted);
  await user.reads(/Asked for/);
  await user.presses('button', /^add 1 server/i);
  await user.reads(/A value is needed/);
  await waitUntil('the focus is there', async () => /Key of the service/.test(await user.focus()));
  await inspect(page, 'add-json-inputs');
  const [field] = await page.$$('dialog input[type="password"]');
  await field?.type(`${canary}-asked`);
  await user.chooses('Region', 'us');

  await user.presses('button', /^add 1 server/i);

  await user.reads(/Added, \d+ tools/, 15_000);
  assert.not.match(await page.content(), `${canary}-asked`);
  const fields = await page.$$eval('input', (inputs) => inputs.map(({ value }) => value));
  assert.not(fields.some((value) => value.includes(canary)));
  const file = readFileSync(join(service.configsDir, 'asking.json'), 'utf8');
  assert.not.match(file, /input:|canary/);
  assert.match(readFileSync(join(service.dataDir, 'secrets.env'), 'utf8'), `${canary}-asked`);
});

test('arrow keys, Home and End move between the tabs, and the focus stays on them', async ({ visit }) => {
  const { user, page } = await visit();
  await user.presses('button', words.addServer);
  await waitUntil('it begins in the first field', async () => /textbox JSON/.test(await user.focus()));
  await page.keyboard.down('Shift');
  await page.keyboard.press('Tab');
  await page.keyboard.up('Shift');
  assert.is(await user.focus(), 'tab Paste JSON or docker run');

  const keys = ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'Home', 'End'] as const;
  const seen: string[] = [];
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.evaluate(
      () =>
        new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50)))),
    );
    seen.push(await user.focus());
    const selected = await page.$eval('dialog [aria-selected="true"]', (tab) => tab.textContent);
    assert.is(seen.at(-1), `tab ${selected}`);
  }
  const [paste, command, url, image] = ['Paste JSON or docker run', 'Command', 'URL', 'Container image'];
  assert.equal(
    seen,
    [command, url, image, paste, image, paste, image].map((label) => `tab ${label}`),
  );
  await page.keyboard.press('Tab');
  assert.is(await user.focus(), 'textbox Name');
});

test('broken JSON is said in words, with its place', async ({ visit }) => {
  const { user, page } = await visit({ expects: refused });
  await user.presses('button', words.addServer);
  await user.presses('tab', words.pasteTab);

  await user.writes(/json|configuration/i, '{"mcpServers": {');
  await user.presses('button', words.readPasted);

  await user.reads(
    'It is not valid JSON: line 1, column 17: it ends where a name in double quotes is expected.',
  );
  await user.writes(/json|configuration/i, '{\n  "mcpServers": {\n    "a" {}\n}');
  await user.presses('button', words.readPasted);

  await user.reads(/line 3, column 9: expected `:`/);
  const marked = await page.$eval('dialog textarea', (it) => {
    const { value, selectionStart, selectionEnd } = it as HTMLTextAreaElement;
    return [value.slice(selectionStart, selectionEnd), document.activeElement === it];
  });
  assert.equal(marked, ['{', true]);
  await inspect(page, 'add-json-broken');
});

test('a command on this host shows what will run, and is refused without the admin token', async ({
  visit,
  service,
}) => {
  const { user, page } = await visit({ expects: refused });
  await user.presses('button', words.addServer);
  await user.presses('tab', words.commandTab);
  await user.writes('Name', 'by-command');
  await user.writes('Command', `node ${everythingPath} stdio`);

  await user.reads('"command": "node"');
  await user.reads(everythingPath);
  await user.reads('bin/svc-mcp.js register -c by-command.json');
  await user.seesNo('button', words.addNow);
  await inspect(page, 'add-command');
  assert.not(existsSync(join(service.configsDir, 'by-command.json')));
});

test.run();
