/** Others change what a page shows: other pages, scripts and editors. Nothing is overwritten blindly. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HTTPRequest, Page } from 'puppeteer-core';
import * as assert from 'uvu/assert';
import { replaceTools, switchTool } from '../support/manager-api.ts';
import type { RunningService } from '../support/run-service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { dashboardSuite } from './support/dashboard-suite.ts';
import { inspect } from './support/inspect.ts';
import { officialService } from './support/servers.ts';
import { words } from './support/words.ts';

const test = await dashboardSuite('sharing', { service: officialService });
const [echo, read, graph] = ['everything__echo', 'filesystem__read_text_file', 'memory__read_graph'];
const conflictIsMeant = /status of 409/;

const fileOf = (service: RunningService) => join(service.groupsDir, 'svc-global.json');
const included = (service: RunningService): string[] =>
  JSON.parse(readFileSync(fileOf(service), 'utf8')).included_tools;
const writeByHand = (service: RunningService, tools: readonly string[]) =>
  writeFileSync(fileOf(service), JSON.stringify({ name: 'svc-global', included_tools: tools }, null, 2));

test('two pages agree within a second of a save', async ({ visit, service }) => {
  await replaceTools(service, 'svc-global', [echo, read]);
  const [one, other] = [await visit(), await visit()];
  await other.user.seesChecked(words.tool(graph), false);
  await noteTick(other.page, graph, true);

  await one.user.presses('checkbox', words.tool(graph));
  await one.user.presses('button', words.save);
  await waitUntil('it is in the file', () => included(service).includes(graph), { everyMs: 5 });
  const savedAt = Date.now();
  await other.user.seesChecked(words.tool(graph), true);

  const tookMs = (await notedAt(other.page)) - savedAt;
  console.log(`  the other page agrees after ${Math.round(tookMs)} ms`);
  assert.ok(tookMs < 1_000, `${tookMs} ms`);
});

/** The page itself notes when that tool is ticked, or no longer: to look from outside takes longer than what is measured. */
async function noteTick(page: Page, tool: string, wanted: boolean): Promise<void> {
  await page.evaluate(
    (name, isWanted) => {
      const isAsWanted = () =>
        [...document.querySelectorAll('.tool')].some(
          (row) =>
            row.querySelector('.tool-pick code')?.textContent === name &&
            row.querySelector('input')?.checked === isWanted,
        );
      const noting = new MutationObserver(() => {
        if (!isAsWanted()) return;
        Object.assign(window, { notedAt: Date.now() });
        noting.disconnect();
      });
      noting.observe(document.body, { subtree: true, childList: true, attributes: true });
    },
    tool,
    wanted,
  );
}

function notedAt(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as { notedAt: number }).notedAt);
}

test('a file edited by hand is shown at once when nothing is unsaved', async ({ visit, service }) => {
  await replaceTools(service, 'svc-global', [echo, read]);
  const { user, page } = await visit();
  await user.seesChecked(words.tool(echo), true);
  await noteTick(page, echo, false);

  writeByHand(service, [read]);
  const writtenAt = Date.now();
  await user.seesChecked(words.tool(echo), false);

  const tookMs = (await notedAt(page)) - writtenAt;
  console.log(`  the page shows the edited file after ${Math.round(tookMs)} ms`);
  assert.ok(tookMs < 2_000, `${tookMs} ms`);
  await user.seesNo('button', words.save);
});

test('a file edited underneath unsaved changes is a conflict that shows both sides', async ({
  visit,
  service,
}) => {
  await replaceTools(service, 'svc-global', [echo, read]);
  const { user, page } = await visit({ expects: conflictIsMeant });
  await user.presses('checkbox', words.tool(graph));

  writeByHand(service, [read]);

  await user.reads(words.conflict);
  const apply = await user.sees('button', words.applyMine);
  await apply.evaluate((button) => button.scrollIntoView({ block: 'center' }));
  await user.reads(/− everything__echo/);
  await user.reads(/\+ memory__read_graph/);
  await inspect(page, 'conflict');
  assert.equal(included(service), [read]);

  await user.presses('button', words.applyMine);
  await user.seesChecked(words.tool(echo), false);
  await user.seesChecked(words.tool(graph), true);
  await user.presses('button', words.save);
  await waitUntil('both changes are kept', () => included(service).includes(graph));
  assert.equal(included(service), [read, graph]);
});

test('in a conflict mine can be discarded', async ({ visit, service }) => {
  await replaceTools(service, 'svc-global', [echo, read]);
  const { user } = await visit({ expects: conflictIsMeant });
  await user.presses('checkbox', words.tool(graph));
  writeByHand(service, [read]);

  await user.presses('button', words.discardMine);

  await user.seesChecked(words.tool(graph), false);
  await user.seesChecked(words.tool(echo), false);
  await user.seesNo('button', words.save);
  assert.equal(included(service), [read]);
});

test('two pages that save different changes never lose one', async ({ visit, service }) => {
  await replaceTools(service, 'svc-global', [echo, read]);
  const [one, other] = [await visit(), await visit({ expects: conflictIsMeant })];
  await one.user.presses('checkbox', words.tool(graph));
  await other.user.presses('checkbox', words.tool(echo));

  await one.user.presses('button', words.save);
  await other.user.reads(words.conflict);
  await other.user.presses('button', words.applyMine);
  await other.user.presses('button', words.save);

  await waitUntil('both are in the file', () => included(service).join() === [read, graph].join());
  await one.user.seesChecked(words.tool(echo), false);
});

test('a Save that meets a file changed a moment ago does not overwrite it', async ({ visit, service }) => {
  await replaceTools(service, 'svc-global', [echo, read]);
  const { user, page } = await visit({ expects: conflictIsMeant });
  await user.seesChecked(words.tool(echo), true);
  // What the page fetches comes after the answer to its Save, as over a slow line.
  const held: HTTPRequest[] = [];
  let isHolding = true;
  page.on('request', (request) => {
    if (isHolding && request.method() === 'GET') held.push(request);
    else void letGo(request);
  });
  await page.setRequestInterception(true);
  await user.presses('checkbox', words.tool(graph));
  await switchTool(service, 'svc-global', echo, false);
  const answered = page.waitForResponse((response) => response.request().method() === 'PUT');
  await user.presses('button', words.save);
  assert.is((await answered).status(), 409);
  isHolding = false;
  for (const request of held) void letGo(request);

  await user.reads(words.conflict);
  assert.equal(included(service), [read]);
});

/** A request that was sent before the interception began goes its way by itself. */
async function letGo(request: HTTPRequest): Promise<void> {
  await request.continue().catch(() => {});
}

test.run();
