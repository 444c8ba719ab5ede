/** A group is renamed under agents that use it: the new address serves, the old one says where the group went. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { manage } from '../support/manager-api.ts';
import { connectClient } from '../support/mcp-client.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { configFiles, faultConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('renaming a group');
let service: RunningService;

test.before(async () => {
  service = await runService({
    groups: { team: { name: 'team', included_tools: ['fault__echo'] } },
    configs: configFiles(faultConfig('fault')),
  });
});
test.after(() => service?.remove());

const toolsAt = async (group: string) => {
  const { client, close } = await connectClient(service.groupUrl(group));
  const { tools } = await client.listTools().finally(close);
  return tools.map(({ name }) => name);
};

test('the new address serves; an agent at the old one is told it in words, also after a restart', async () => {
  await waitUntil('its tool is listed', async () => (await toolsAt('team')).includes('fault__echo'));
  const before = await connectClient(service.groupUrl('team'));

  await manage(service, 'POST', '/api/groups/team/rename', { name: 'crew' });

  const words = /It is called `crew` now: connect to \/v0\/groups\/crew\/mcp/;
  const refused = (work: Promise<unknown>) =>
    work.then(
      () => 'it was answered',
      (error: Error) => error.message,
    );
  assert.match(await refused(before.client.listTools()), words);
  assert.match(await refused(toolsAt('team')), words);
  assert.equal(await toolsAt('crew'), ['fault__echo']);
  assert.equal(
    [existsSync(join(service.groupsDir, 'team.json')), existsSync(join(service.groupsDir, 'crew.json'))],
    [false, true],
  );
  await before.close();
  await service.restart();
  assert.match(await refused(toolsAt('team')), words);
});

test('a group that is made under the old name is that group', async () => {
  await manage(service, 'POST', '/api/groups/team', { tools: [] });

  assert.equal(await toolsAt('team'), []);
});

test.run();
