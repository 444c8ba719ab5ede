/** A group whose file is a link: the page says so, and a refused change shows the text to put where the file is managed. */
import { rmSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { runService } from '../support/run-service.ts';
import { createSwappedFolder, type SwappedFolder } from '../support/swapped-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { dashboardSuite } from './support/dashboard-suite.ts';
import { inspect } from './support/inspect.ts';
import { officialService, twoGroups } from './support/servers.ts';
import { words } from './support/words.ts';

const textOf = (group: object) => `${JSON.stringify(group, null, 2)}\n`;
const files = Object.fromEntries(
  Object.entries(twoGroups).map(([name, group]) => [`${name}.json`, textOf(group)]),
);
let folder: SwappedFolder;
const test = await dashboardSuite('groups that are managed elsewhere', {
  start: () =>
    runService({
      ...officialService,
      groups: {},
      fill: async ({ groupsDir }) => {
        rmSync(groupsDir, { recursive: true });
        folder = createSwappedFolder(groupsDir, files);
      },
    }),
});

test('Save shows the text to put there, which can be copied, and the page follows once it is there', async ({
  visit,
  service,
}) => {
  const { user, page } = await visit({ expects: /status of 409/ });
  await page
    .browserContext()
    .overridePermissions(service.managerUrl, ['clipboard-read', 'clipboard-sanitized-write']);
  await user.reads('managed elsewhere');
  await inspect(page, 'managed-elsewhere');
  await user.presses('checkbox', words.tool('memory__read_graph'));
  await user.presses('button', words.save);

  await user.sees('heading', /not saved: managed elsewhere/i);
  await user.reads('put `svc-global.json` there');
  await inspect(page, 'managed-elsewhere-refused');
  await user.presses('button', /copy.*the text of svc-global\.json/i);
  const wanted = { ...twoGroups['svc-global'] };
  wanted.included_tools = [...wanted.included_tools, 'memory__read_graph'];
  const copied = await waitUntil('it is copied', async () => {
    const text = await page.evaluate(() => navigator.clipboard.readText());
    return text.includes('memory__read_graph') && text;
  });
  assert.is(copied, textOf(wanted));

  await user.presses('button', /close/i);
  await user.seesChecked(words.tool('memory__read_graph'), true);
  folder.swap({ ...files, 'svc-global.json': copied });
  await user.seesNo('button', words.save);
  await user.seesChecked(words.tool('memory__read_graph'), true);
});

test('a description is refused in its dialog, with the text', async ({ visit }) => {
  const { user, page } = await visit({ expects: /status of 409/ });
  await user.chooses(words.group, 'research');
  await user.reads(twoGroups.research.description);
  await user.presses('button', words.describeGroup);
  await user.writes(/description/i, 'Another one');
  await user.presses('button', words.saveDescription);

  await user.reads('put `research.json` there');
  await user.reads('"description": "Another one"');
  await inspect(page, 'managed-elsewhere-described');
});

test.run();
