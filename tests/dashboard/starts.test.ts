/** A start that failed: the line that says why, wherever somebody meets the failure, and no value of a secret anywhere. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import * as assert from 'uvu/assert';
import { startHttpServer } from '../support/http-server.ts';
import { runCommand } from '../support/run-command.ts';
import type { RunningService } from '../support/run-service.ts';
import { plainEnvironment, projectDir, testNode } from '../support/service-command.ts';
import { configFiles, memoryConfig, stdioConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';
import { dashboardSuite } from './support/dashboard-suite.ts';
import { inspect } from './support/inspect.ts';
import type { User } from './support/user.ts';
import { words } from './support/words.ts';

const token = 'admin-token-of-this-test';
const canary = 'canary-of-the-starts';
const why = 'Error: API_KEY is not set';
/** As servers end that miss a variable: with colours, a source line and a stack. It tells a secret, too. */
const program = `
  console.error('Starting with ' + process.env.TOKEN);
  if (!process.env.API_KEY) throw new Error('API_KEY is not set');
  import(process.env.SERVER);
`;
const keyless = (name: string) =>
  stdioConfig(name, ['-e', program], { description: 'Needs a key', env: { TOKEN: canary } });
const locked = await startHttpServer((request, response) => {
  request.resume();
  response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"no_token"}');
});
const test = await dashboardSuite('starts', {
  service: {
    configs: configFiles(keyless('keyless'), memoryConfig('well')),
    env: { ADMIN_TOKEN: token },
  },
  close: () => locked.close(),
});
const expects = /status of (401|422|50\d)/;

async function signIn(user: User, page: Page): Promise<void> {
  await user.writes(words.tokenField, token);
  await page.keyboard.press('Enter');
  await user.sees('button', words.addServer);
}

async function assertSilent(page: Page): Promise<void> {
  assert.not.match(await page.content(), canary);
}

const marked = (page: Page) => page.$eval('dialog mark', (it) => it.textContent);

const gateway = (service: RunningService, ...args: string[]) =>
  runCommand(testNode, [join(projectDir, 'bin/svc-mcp.js'), ...args], {
    cwd: service.dir,
    env: { ...plainEnvironment(), DATA_DIR: service.dataDir },
  });

async function recordOf(service: RunningService, name: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${service.managerUrl}/api/servers/${name}`, { headers });
  return ((await answer.json()) as { server: Record<string, unknown> }).server;
}

test('the card shows the line at first sight, the drawer all of the last lines', async ({
  visit,
  service,
}) => {
  await waitUntil('it has failed', async () => (await recordOf(service, 'keyless')).last_error_line === why);
  const { user, page } = await visit({ expects, settles: false });
  await signIn(user, page);

  await user.sees('button', new RegExp(`^keyless.*failed.*${why}`, 'i'));
  await user.reads(`It failed before it listed its tools. ${why}`);
  await inspect(page, 'start-failed-card');
  await user.presses('button', words.serverRow('keyless'));
  await user.reads('The server "keyless" is unavailable: its process ended with code 1.');
  await user.reads(/Its last lines/);
  await user.reads('Starting with ***');
  assert.is(await page.$eval('dialog .banner strong', (it) => it.textContent), why);
  assert.is(await marked(page), why);
  await inspect(page, 'start-failed-drawer');
  await assertSilent(page);
});

test('a command that does not start is refused with the line, and what was typed is kept', async ({
  visit,
  service,
}) => {
  const { user, page } = await visit({ expects, settles: false });
  await signIn(user, page);
  await user.presses('button', words.addServer);
  await user.presses('tab', words.commandTab);
  await user.writes('Name', 'typed');
  await user.writes('Command', `node -e "throw new Error('API_KEY is not set')"`);

  await user.presses('button', words.addNow);

  await user.reads(`It wrote: "${why}".`, 15_000);
  await user.reads(/Its last lines/);
  assert.is(await marked(page), why);
  await inspect(page, 'start-failed-add');
  assert.not(existsSync(join(service.configsDir, 'typed.json')));
});

test('a pasted server that does not start says the line in its row, and its text can be mended', async ({
  visit,
}) => {
  const { user, page } = await visit({ expects, settles: false });
  await signIn(user, page);
  await user.presses('button', words.addServer);
  await user.writes(/json|configuration/i, JSON.stringify({ mcpServers: { pasted: keyless('pasted') } }));
  await user.presses('button', words.readPasted);
  await user.presses('button', /^add 1 server/i);

  await user.reads(`It wrote: "${why}".`, 15_000);
  await user.reads(/Its last lines/);
  assert.is(await marked(page), why);
  await waitUntil('the focus is kept', async () => (await user.focus()) === 'button Retry 1 server');
  await inspect(page, 'start-failed-paste');
  await assertSilent(page);

  await user.presses('button', 'Paste again');
  await user.sees('textbox', /json/i);
  assert.match(await page.$eval('dialog textarea', ({ value }) => value), '"pasted"');
});

test('an address that wants credentials says so, and how they are given', async ({ visit }) => {
  const { user, page } = await visit({ expects, settles: false });
  await signIn(user, page);
  await user.presses('button', words.addServer);
  await user.presses('tab', words.urlTab);
  await user.writes('Name', 'locked');
  await user.writes('Address', `http://${locked.address}/mcp`);

  await user.presses('button', words.addNow);

  await user.reads(/it wants credentials and was sent none \(HTTP 401\)/, 15_000);
  const all = await user.reads('[HTTP 401] {"error":"no_token"}');
  assert.is(all.split('[HTTP 401]').length - 1, 1, 'said once');
  await inspect(page, 'start-failed-locked');
});

test('`register` and `import` print the line', async ({ service }) => {
  const config = keyless('by-command');
  writeFileSync(join(service.dir, 'one.json'), JSON.stringify(config));
  writeFileSync(join(service.dir, 'many.json'), JSON.stringify({ mcpServers: { imported: config } }));

  const registered = await gateway(service, 'register', '-c', 'one.json');
  const imported = await gateway(service, 'import', 'many.json');
  const json = await gateway(service, 'import', 'many.json', '--json');
  const list = await gateway(service, 'list', 'servers');

  for (const { code, stdout, stderr } of [registered, imported]) {
    assert.is(code, 1);
    assert.match(stderr, `It wrote: "${why}".`);
    assert.match(stderr, `\nIts last lines:\n  Starting with ***\n`);
    assert.match(stderr, `\n  ${why}\n`);
    assert.not.match(stdout + stderr, canary);
  }
  const [failed] = JSON.parse(json.stdout).servers;
  assert.ok(failed.log_tail.includes(why));
  assert.match(list.stdout, why);
});

test('what was shown is gone with the next start that succeeds', async ({ service }) => {
  writeFileSync(join(service.dir, 'fixed.json'), JSON.stringify(memoryConfig('keyless')));

  const { code } = await gateway(service, 'register', '-c', 'fixed.json');

  assert.is(code, 0);
  const { status, ...record } = await recordOf(service, 'keyless');
  assert.is(status, 'connected');
  for (const field of ['last_error', 'last_error_lines', 'last_error_line'])
    assert.not(field in record, field);
});

test.run();
