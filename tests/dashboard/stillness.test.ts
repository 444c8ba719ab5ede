/** Nothing on the page moves by itself: news change what stands there, not where it stands. */
import * as assert from 'uvu/assert';
import { manage, replaceTools, switchTool } from '../support/manager-api.ts';
import { openSession } from '../support/mcp-client.ts';
import { dashboardSuite } from './support/dashboard-suite.ts';
import { officialService } from './support/servers.ts';
import { words } from './support/words.ts';

const test = await dashboardSuite('stillness', { service: officialService });

test('nothing moves while live updates arrive', async ({ visit, service }) => {
  await replaceTools(service, 'svc-global', []);
  const { user, page } = await visit();
  await user.sees('checkbox', words.server('memory'));
  await user.reads(/Live/);
  await page.evaluate(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(JSON.stringify(entry));
    }).observe({ type: 'layout-shift', buffered: false });
  });

  for (const tool of ['everything__echo', 'memory__read_graph', 'filesystem__write_file']) {
    await switchTool(service, 'svc-global', tool, true);
    await user.seesChecked(words.tool(tool), true);
  }
  const session = await openSession(service.groupUrl());
  await session.request('tools/call', { name: 'everything__echo', arguments: { message: 'x' } });
  await manage(service, 'POST', '/api/servers/everything/restart');
  await user.sees('button', /^everything.*1 call\b/i, 20_000);

  const shifts = await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
  assert.equal(shifts, []);
});

test.run();
