/** A tool is tried before agents have it: by the manager, told apart, with its result in view. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import * as assert from 'uvu/assert';
import { manage } from '../support/manager-api.ts';
import { configFiles, faultConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';
import { dashboardSuite } from './support/dashboard-suite.ts';
import { inspect } from './support/inspect.ts';
import { listingConfig, officialServers, writeTools } from './support/servers.ts';
import { words } from './support/words.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-try-'));
const toolsPath = join(folder, 'long.json');
const properties = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [
    `field_${at}`,
    { type: 'string', description: `What number ${at} is for` },
  ]),
);
writeTools(toolsPath, [
  { name: 'form', description: 'Takes much', inputSchema: { type: 'object', properties } },
  { name: 'any', inputSchema: { type: 'object', additionalProperties: true } },
  { name: 'changing', inputSchema: { type: 'object' } },
]);
const test = await dashboardSuite('try a tool that agents do not have', {
  service: {
    configs: configFiles(...officialServers, faultConfig('fault'), listingConfig('long', toolsPath)),
    groups: { 'svc-global': { name: 'svc-global', included_tools: [] } },
  },
  close: async () => rmSync(folder, { recursive: true, force: true }),
});

const resultOf = (page: Page) => page.$eval('[aria-label="Result"]', (it) => (it as HTMLElement).innerText);

const focused = (page: Page) =>
  page.evaluate(
    () =>
      (document.activeElement as HTMLInputElement | null)?.name ||
      document.activeElement?.textContent?.trim(),
  );

test('the focus begins on the first field, or on Run where there is none', async ({ visit }) => {
  const { user, page } = await visit();
  await user.presses('button', words.details('everything__get-sum'));
  await user.presses('button', words.tryIt('everything__get-sum'));
  await user.sees('button', words.run);
  assert.is(await focused(page), 'a');
  await page.keyboard.press('Escape');

  await user.presses('button', words.details('memory__read_graph'));
  await user.presses('button', words.tryIt('memory__read_graph'));
  await user.sees('button', words.run);
  assert.is(await focused(page), 'Run');
});

test('the result comes into view below a long form, in a low window, too', async ({ visit }) => {
  const { user, page } = await visit({ height: 420 });
  await user.presses('button', words.details('long__form'));
  await user.presses('button', words.tryIt('long__form'));
  await user.presses('button', words.run);

  await user.reads('called form');
  const isInView = () =>
    page.$eval('[aria-label="Result"] pre', (it) => {
      const { top, bottom } = it.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
  await waitUntil('it is in view', isInView);
  await inspect(page, 'try-tool-long-form');
});

test('a tool that agents do not have is tried by the manager, and the records say so', async ({
  visit,
  service,
}) => {
  const { user, page } = await visit();
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname));
  await user.presses('button', words.details('memory__read_graph'));
  await user.presses('button', words.tryIt('memory__read_graph'));
  await user.reads(/not saved in svc-global/);
  await user.presses('button', words.run);

  await user.reads('"entities"');
  await user.reads(/\d ms|\d s\b/);
  await inspect(page, 'try-tool-without-agents');
  assert.equal(sent, ['/api/tools/memory__read_graph/try']);
  assert.not.ok(
    (await manage(service, 'GET', '/api/groups/svc-global/tools')).tools.includes('memory__read_graph'),
  );
  await page.keyboard.press('Escape');

  await user.presses('button', words.serverRow('memory'));
  const calls = () => page.$eval('[aria-label="Recent calls"] table', (it) => it.innerText);
  await waitUntil('it is among the calls, marked', async () => /read_graph\s+tried\s+OK/.test(await calls()));
  await user.reads('No calls');
});

test('numbers reach a tool that is tried with every digit', async ({ visit }) => {
  const { user, page } = await visit();
  await user.presses('button', words.details('long__any'));
  await user.presses('button', words.tryIt('long__any'));
  const sent = page.waitForRequest((request) => request.url().endsWith('/try'));
  await user.writes(/^Arguments/, '{"n": 12345678901234567890}');
  await user.presses('button', words.run);

  assert.is((await sent).postData(), '{"arguments":{"n": 12345678901234567890},"group":"svc-global"}');
  await user.reads('called any');
});

test('a try can be cancelled, and what the server refuses is told in its words', async ({ visit }) => {
  const { user, page } = await visit({ expects: /status of 502/ });
  await user.presses('button', words.details('fault__hang'));
  await user.presses('button', words.tryIt('fault__hang'));
  await user.presses('button', words.run);
  await user.presses('button', 'Cancel');
  await waitUntil('it is cancelled', async () => (await resultOf(page)) === 'Cancelled.');
  await page.keyboard.press('Escape');

  await user.presses('button', words.details('fault__rpc_error'));
  await user.presses('button', words.tryIt('fault__rpc_error'));
  await user.presses('button', words.run);
  await waitUntil('the refusal is told', async () =>
    /answered with an error: no$/.test(await resultOf(page)),
  );
});

test('of a definition that nobody approved a try says so', async ({ visit, service }) => {
  const { user, page } = await visit();
  await user.presses('button', words.details('long__changing'));
  await user.presses('button', words.tryIt('long__changing'));
  await user.sees('button', words.run);
  // Somebody else switches it on with the definition of before; this page has not heard of it.
  const answer = new Promise<void>((resolve) => {
    page.on('response', (response) => response.url().endsWith('/try') && resolve());
  });
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (!request.url().endsWith('/try')) return void request.continue();
    void request.respond({
      contentType: 'application/json',
      body: JSON.stringify({
        ...{
          success: true,
          tried: true,
          milliseconds: 3,
          result: { content: [{ type: 'text', text: 'x' }] },
        },
        warnings: ['The definition of `long__changing` is not the one that was approved.'],
      }),
    });
  });
  await user.presses('button', words.run);
  await answer;

  await user.reads('is not the one that was approved');
  assert.ok(service.isRunning());
});

test.run();
