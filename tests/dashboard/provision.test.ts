/** Servers from images, on the test bed's engine: live steps, real percentages, failures with their reasons, Retry. */
import * as assert from 'uvu/assert';
import { openContainerServices } from '../support/container-services.ts';
import { startFakeRegistry } from '../support/fake-registry.ts';
import { manage, readServer, toolsOf } from '../support/manager-api.ts';
import { testImage } from '../support/testbed.ts';
import { waitUntil } from '../support/wait-until.ts';
import { dashboardSuite } from './support/dashboard-suite.ts';
import { inspect } from './support/inspect.ts';
import type { User } from './support/user.ts';
import { words } from './support/words.ts';

const services = await openContainerServices();
const test = await dashboardSuite('provisioning', {
  start: async () => await services?.run(),
  close: async () => await services?.close(),
});
const name = (base: string) => services?.name(base) ?? base;

async function fillIn(user: User, server: string, image: string): Promise<void> {
  await user.presses('button', words.addServer);
  await user.presses('tab', words.imageTab);
  await user.writes('Name', server);
  await user.writes('Image', image);
}

test('an image becomes a server before your eyes, and an agent could call it', async ({ visit, service }) => {
  const server = name('memory');
  const { user, page } = await visit();
  await fillIn(user, server, testImage('memory'));
  await user.reads(`docker run -i --init --name svc-mcp-${server}`);
  await inspect(page, 'add-image-filled');

  await user.presses('button', words.addNow);

  await user.reads(`${server} is here with 9 tools`, 30_000);
  await inspect(page, 'provisioned');
  assert.is((await readServer(service, server)).status, 'running');
  await page.keyboard.press('Escape');
  await user.presses('checkbox', words.server(server));
  await user.presses('button', words.save);
  await user.reads(words.saved);
});

test('deleting says beforehand what its container keeps', async ({ visit, service }) => {
  const server = name('memory');
  const { user, page } = await visit();
  const askToDelete = async () => {
    await user.presses('button', words.serverRow(server));
    await user.presses('button', words.deleteServer);
  };
  await askToDelete();
  await user.reads('It keeps no data.');
  await user.presses('button', /keep it/i);
  await page.keyboard.press('Escape');
  const [container] = (await services?.containersOf(server)) ?? [];
  const exec = await services?.docker
    .getContainer(container?.id ?? '')
    .exec({ Cmd: ['node', '-e', 'fs.writeFileSync(`/notes.txt`, ``)'], User: 'root' });
  const written = await exec?.start({});

  await waitUntil('the engine tells of the file', async () => {
    const { data } = (await manage(service, 'GET', `/api/servers/${server}`)).server;
    return data?.layer?.count === 1;
  });
  written?.destroy();
  await askToDelete();

  await user.reads('1 file in its container is lost');
  await inspect(page, 'delete-container-server');
  await user.presses('button', words.confirmDeleteServer(server));
  await user.seesNo('checkbox', words.server(server));
});

test('the percentage of a pull is the one that the engine measured', async ({ visit }) => {
  const registry = await startFakeRegistry(30_000_000);
  const { user, page } = await visit({ expects: /status of 4\d\d/ });
  await fillIn(user, name('pull'), registry.image);
  await page.evaluate(() => {
    const seen: number[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      const value = document.querySelector<HTMLProgressElement>('dialog progress')?.value;
      if (value !== undefined && value !== seen.at(-1)) seen.push(value);
    }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  });

  await user.presses('button', words.addNow);
  await user.sees('button', words.retry, 40_000);

  const seen = await page.evaluate(() => (window as unknown as { seen: number[] }).seen);
  console.log(`  percentages shown: ${seen.map(Math.round)}`);
  assert.ok(seen.length >= 2, `${seen}`);
  assert.equal(
    seen,
    [...seen].sort((a, b) => a - b),
  );
  await registry.close();
  await services?.docker
    .getImage(registry.image)
    .remove()
    .catch(() => {});
});

test('a failure says the step, the reason, the exit code and the last lines; Retry succeeds', async ({
  visit,
  service,
}) => {
  const server = name('retried');
  const { user, page } = await visit({ expects: /status of 4\d\d/ });
  await fillIn(user, server, testImage('broken'));

  await user.presses('button', words.addNow);

  await user.reads('FATAL: API_KEY is not set', 30_000);
  await user.reads(/exit code 3/);
  const failed = await page.$$eval('[data-state="failed"]', (steps) => steps.map((step) => step.textContent));
  assert.is(failed.length, 1);
  assert.match(failed[0] ?? '', /answer/);
  await inspect(page, 'provision-failed');
  const kept = await page.$$eval('dialog input', (fields) => fields.map(({ value }) => value));
  assert.ok(kept.includes(server) && kept.includes(testImage('broken')), `${kept}`);

  await user.writes('Image', testImage('memory'));
  await user.presses('button', words.retry);
  await user.reads(`${server} is here with 9 tools`, 30_000);
  assert.is((await toolsOf(service, server)).length, 9);
});

test('Cancel undoes what was begun', async ({ visit, service }) => {
  const server = name('cancelled');
  const { user, page } = await visit();
  await fillIn(user, server, testImage('silent'));
  await user.presses('button', words.addNow);
  await user.reads(/waiting until it answers/i, 30_000);
  await inspect(page, 'provisioning');

  await user.presses('button', /^cancel/i);

  await user.seesNo('list', /steps/i, 10_000);
  assert.is(await readServer(service, server), undefined);
});

test.run();
