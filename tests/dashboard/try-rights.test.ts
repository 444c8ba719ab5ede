/** Where others reach the port and nobody set ADMIN_TOKEN, the page tries only what agents have, and says why. */
import { configFiles, faultConfig } from '../support/test-servers.ts';
import { dashboardSuite } from './support/dashboard-suite.ts';
import { words } from './support/words.ts';

const test = await dashboardSuite('try a tool without rights', {
  service: {
    configs: configFiles(faultConfig('fault')),
    groups: { 'svc-global': { name: 'svc-global', included_tools: [] } },
    env: { HOST: '0.0.0.0', ALLOW_OPEN: '1' },
  },
});

test('where others reach the port and no ADMIN_TOKEN is set, the page says how to go on', async ({
  visit,
}) => {
  const { user } = await visit();
  await user.presses('button', words.details('fault__echo'));
  await user.presses('button', words.tryIt('fault__echo'));

  await user.reads(/Only tools that are saved .* set ADMIN_TOKEN/);
  await user.seesNo('button', words.run);
});

test.run();
