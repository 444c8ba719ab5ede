/** Newer images of servers, on the test bed's engine: offered in the drawer, taken and given back there. */
import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import { openContainerServices } from '../support/container-services.ts';
import { manage, readServer, replaceTools } from '../support/manager-api.ts';
import { provision } from '../support/provisioning.ts';
import { startTaggedImage } from '../support/tagged-image.ts';
import { dashboardSuite } from './support/dashboard-suite.ts';
import { inspect } from './support/inspect.ts';
import { words } from './support/words.ts';

const services = await openContainerServices();
const image =
  services && (await startTaggedImage(services.docker, `mcp/upd-${randomBytes(4).toString('hex')}`));
const test = await dashboardSuite('updates', {
  start: async () => await services?.run(),
  async close() {
    await services?.close();
    await image?.close();
  },
});
const name = (base: string) => services?.name(base) ?? base;

test('a newer image is offered, compared, taken and given back', async ({ visit, service }) => {
  const server = name('notes');
  await image?.push('memory');
  await provision(service, { name: server, image: image?.reference ?? '' });
  await replaceTools(service, 'svc-global', [`${server}__read_graph`]);
  const { user, page } = await visit();
  await user.presses('button', words.serverRow(server));
  await user.seesNo('button', words.update);

  await image?.push('everything');
  const { update_available: offer } = await manage(service, 'POST', `/api/servers/${server}/update`, {
    check: true,
  });
  await user.sees('button', words.update);
  await user.reads(offer.new_digest.slice(7, 19));
  await user.presses('button', words.update);
  await user.reads(/what fails leaves the old one serving/);
  await inspect(page, 'update-offered');

  await user.presses('button', words.compareOnly);
  await user.reads(/Nothing was changed; server .* would be updated/, 30_000);
  await user.reads(/Added 16/);
  await user.reads(/Groups that notice: svc-global/);
  await inspect(page, 'update-compared');
  assert.is((await readServer(service, server)).tool_count, 9);

  await user.presses('button', words.confirmUpdate);
  await user.reads(/is updated: \d+ tools/, 30_000);
  await user.reads(/Removed 9/);
  await inspect(page, 'updated');
  assert.ok((await readServer(service, server)).tool_count > 9);

  await user.presses('button', words.done);
  await user.presses('button', words.rollBack);
  await user.presses('button', words.confirmRollBack);
  await user.reads(/is rolled back: 9 tools/, 30_000);
  await user.sees('button', words.update);
  assert.is((await readServer(service, server)).tool_count, 9);
});

test('an image that does not start is told with its last lines, and the old one serves', async ({
  visit,
  service,
}) => {
  const server = name('broken');
  await image?.push('memory');
  await provision(service, { name: server, image: image?.reference ?? '' });
  await image?.push('broken');
  await manage(service, 'POST', `/api/servers/${server}/update`, { check: true });
  const { user, page } = await visit();
  await user.presses('button', words.serverRow(server));

  await user.presses('button', words.update);
  await user.presses('button', words.confirmUpdate);

  await user.reads('FATAL: API_KEY is not set', 30_000);
  await user.reads('The server is as it was.');
  await inspect(page, 'update-failed');
  assert.is((await readServer(service, server)).tool_count, 9);
});

test('files in its container are named before they are lost', async ({ visit, service }) => {
  const server = name('layer');
  await image?.push('memory');
  await provision(service, { name: server, image: image?.reference ?? '' });
  await replaceTools(service, 'svc-global', [`${server}__create_entities`]);
  const [container] = (await services?.containersOf(server)) ?? [];
  const copied = await services?.docker.getContainer(container?.id ?? '').exec({
    Cmd: ['node', '-e', 'require("fs").writeFileSync("/data/kept.json", "{}")'],
  });
  await copied?.start({});
  await image?.push('everything');
  await manage(service, 'POST', `/api/servers/${server}/update`, { check: true });
  const { user, page } = await visit({ expects: /status of 409/ });
  await user.presses('button', words.serverRow(server));

  await user.presses('button', words.update);
  await user.presses('button', words.confirmUpdate);
  await user.reads('/data/kept.json', 30_000);
  await inspect(page, 'update-at-risk');
  assert.is((await readServer(service, server)).tool_count, 9);

  await user.presses('button', words.loseData);
  await user.reads(/is updated/, 30_000);
});

test.run();
