/** Servers: how they are, live, and what can be done to one after its effects were said. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { manage, readServer } from '../support/manager-api.ts';
import { openSession } from '../support/mcp-client.ts';
import { configFiles, faultConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';
import { seesBadge } from './support/badges.ts';
import { dashboardSuite } from './support/dashboard-suite.ts';
import { inspect } from './support/inspect.ts';
import { officialServers, twoGroups } from './support/servers.ts';
import { words } from './support/words.ts';

const failing = faultConfig('failing', ['--on-start', 'crash'], { description: 'Ends at its start' });
const secret = faultConfig('secretive', [], {
  env: { API_KEY: 'canary-of-the-drawer', ABSENT: `\${NOT_THERE}` },
});
const groups = {
  ...twoGroups,
  calls: {
    name: 'calls',
    included_tools: ['fault__echo', 'fault__stderr', 'fault__rpc_error', 'fault__pid'],
  },
};
const test = await dashboardSuite('servers', {
  service: { configs: configFiles(...officialServers, faultConfig('fault'), failing, secret), groups },
});

test('each server shows its status, its number of tools and its last error', async ({ visit, service }) => {
  await waitUntil('it has failed', async () => (await readServer(service, 'failing'))?.status === 'failed');
  const { user, page } = await visit();

  await user.sees('button', /^filesystem.*14 tools.*connected/i);
  await user.sees('button', /^memory.*9 tools.*connected/i);
  await user.sees('button', /^failing.*failed/i);
  const { last_error } = await readServer(service, 'failing');
  await user.reads(last_error);
  await inspect(page, 'servers');
});

test('calls and errors are counted live, without a reload', async ({ visit, service }) => {
  const { user } = await visit();
  await user.sees('button', /^fault.*no calls/i);
  const session = await openSession(service.groupUrl('calls'));

  for (let call = 0; call < 3; call += 1)
    await session.request('tools/call', { name: 'fault__echo', arguments: {} });
  await session.request('tools/call', { name: 'fault__rpc_error', arguments: {} });

  await user.sees('button', /^fault.*4 calls.*(25\s?%|1 error)/i, 20_000);
});

test('a drawer tells variables by name only, limits, recent calls and the exact command', async ({
  visit,
}) => {
  const { user, page } = await visit();

  await user.presses('button', words.serverRow('secretive'));
  await user.reads('API_KEY');
  await user.reads(/NOT_THERE/);
  await user.reads('node tests/support/fault-server.mjs');
  await inspect(page, 'server-missing-variable');
  await page.keyboard.press('Escape');
  await user.seesNo('dialog', 'secretive');
  await user.presses('button', words.serverRow('fault'));
  await user.reads('fault__rpc_error');
  await user.reads(/at once/);
  await inspect(page, 'server');

  assert.not.match(await page.content(), 'canary-of-the-drawer');
});

test('its log is shown as it is written, and can be paused', async ({ visit, service }) => {
  const { user } = await visit();
  await user.presses('button', words.serverRow('fault'));
  await user.reads(/Live/);
  const session = await openSession(service.groupUrl('calls'));
  const write = (text: string) =>
    session.request('tools/call', { name: 'fault__stderr', arguments: { text: `${text}\n` } });

  await write('a first line <b>of it</b>');
  await user.reads('a first line <b>of it</b>');
  await user.presses('button', /^pause/i);
  await write('a second line');
  await user.reads(/paused, 1 new/i);
  await user.readsNo('a second line');
  await user.presses('button', /^(pause|resume)/i);
  await user.reads('a second line');
});

test('a restart says what it does, and does it', async ({ visit, service }) => {
  const session = await openSession(service.groupUrl('calls'));
  const pid = async () => {
    const { body } = await session.request('tools/call', { name: 'fault__pid', arguments: {} });
    return body.result.content[0].text;
  };
  const before = await pid();
  const { user, page } = await visit();
  await user.presses('button', words.serverRow('fault'));

  await user.presses('button', words.restart);
  await user.reads(/ends and starts again/);
  assert.is(await pid(), before);
  await inspect(page, 'restart');
  await user.presses('button', words.confirmRestart);

  await waitUntil('the drawer says so', () =>
    page.$$eval('dialog[open] [role="status"]', (all) => all.some((it) => /restarted/i.test(it.textContent))),
  );
  await inspect(page, 'restarted');
  assert.is.not(await pid(), before);
});

test('deleting names the groups and tools it takes away, and can be called off', async ({
  visit,
  service,
}) => {
  const { user, page } = await visit();
  await user.presses('button', words.serverRow('memory'));

  await user.presses('button', words.deleteServer);
  await user.reads(/research loses 2 tools/);
  await inspect(page, 'delete-server');
  await user.presses('button', /keep it/i);
  assert.is((await readServer(service, 'memory')).tool_count, 9);

  await user.presses('button', words.deleteServer);
  await user.presses('checkbox', words.forgetTools);
  await user.presses('button', words.confirmDeleteServer('memory'));
  await user.seesNo('checkbox', words.server('memory'));
  await waitUntil('it is gone', async () => (await readServer(service, 'memory')) === undefined);
  assert.not(existsSync(join(service.configsDir, 'memory.json')));
  const kept = () =>
    JSON.parse(readFileSync(join(service.groupsDir, 'research.json'), 'utf8')).included_tools;
  await waitUntil('its tools are forgotten', () => kept().join() === 'filesystem__read_text_file');
});

test('a server that no group uses goes without a loss for agents, and the page says so', async ({
  visit,
}) => {
  const { user } = await visit();
  await user.presses('button', /^failing/);
  await user.presses('button', words.deleteServer);

  await user.reads('No group uses its tools, so agents lose nothing.');
  await user.readsNo(/Agents lose \d/);
  await user.presses('button', /keep it/i);
});

test('a server deleted without forgetting leaves its tools as missing', async ({ visit, service }) => {
  const { user, page } = await visit();
  await user.presses('button', words.serverRow('everything'));
  await user.presses('button', words.deleteServer);
  await user.reads(/svc-global loses 1 tool/);
  await user.presses('button', words.confirmDeleteServer('everything'));

  await seesBadge(page, 'everything__echo', 'missing');
  await user.seesChecked(words.tool('everything__echo'), true);
  const { servers } = await manage(service, 'GET', '/api/tools');
  assert.is(servers.everything[0].state, 'missing');
});

test.run();
