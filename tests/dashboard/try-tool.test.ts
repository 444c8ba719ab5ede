/**
 * Try a tool: a form from its schema, run through the group's endpoint as an agent would, or by the manager where agents do
 * not have it.
 */
import type { Page } from 'puppeteer-core';
import * as assert from 'uvu/assert';
import { configFiles, faultConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';
import { dashboardSuite } from './support/dashboard-suite.ts';
import { inspect } from './support/inspect.ts';
import { officialServers } from './support/servers.ts';
import { words } from './support/words.ts';

const included = [
  'everything__echo',
  'everything__get-sum',
  'everything__get-tiny-image',
  'everything__get-annotated-message',
  'filesystem__read_text_file',
  'fault__rpc_error',
];
const test = await dashboardSuite('try a tool', {
  service: {
    configs: configFiles(...officialServers, faultConfig('fault')),
    groups: { 'svc-global': { name: 'svc-global', included_tools: included } },
  },
});

const resultOf = (page: Page) => page.$eval('[aria-label="Result"]', (it) => (it as HTMLElement).innerText);

test('a text is asked for, sent, and the answer is shown with its time', async ({ visit }) => {
  const { user, page } = await visit();
  await user.presses('button', words.details('everything__echo'));
  await user.presses('button', words.tryIt('everything__echo'));

  await user.writes(/message/i, 'hello from the page');
  await user.presses('button', words.run);

  await user.reads('Echo: hello from the page');
  await user.reads(/\d ms|\d s\b/);
  await inspect(page, 'try-tool');
});

test('numbers are sent as numbers', async ({ visit }) => {
  const { user } = await visit();
  await user.presses('button', words.details('everything__get-sum'));
  await user.presses('button', words.tryIt('everything__get-sum'));

  await user.writes(/^a\b/i, '17', 'spinbutton');
  await user.writes(/^b\b/i, '25', 'spinbutton');
  await user.presses('button', words.run);

  await user.reads('The sum of 17 and 25 is 42.');
});

test('what is typed in the form comes along to JSON and back, unless the form cannot hold it', async ({
  visit,
}) => {
  const { user, page } = await visit();
  await user.presses('button', words.details('everything__get-sum'));
  await user.presses('button', words.tryIt('everything__get-sum'));
  await user.writes(/^a\b/i, '17', 'spinbutton');

  await user.presses('button', 'Arguments as JSON');
  const whole = () => page.$eval('dialog textarea', (it) => (it as HTMLTextAreaElement).value);
  assert.equal(JSON.parse(await whole()), { a: 17 });
  await user.writes(/^Arguments/, '{"a": 17, "b": 25, "c": 1}');
  await user.presses('button', 'Back to the form');
  await user.reads('The form has no field “c”.');
  await waitUntil('the focus is there', async () => /^textbox Arguments/.test(await user.focus()));
  await user.writes(/^Arguments/, '{"a": 17, "b": 25}');
  await user.presses('button', 'Back to the form');

  await user.sees('spinbutton', /^b\b/i);
  await user.presses('button', words.run);
  await user.reads('The sum of 17 and 25 is 42.');
});

test('what is required is asked for before anything is sent', async ({ visit }) => {
  const { user, page } = await visit();
  await user.presses('button', words.details('filesystem__read_text_file'));
  await user.presses('button', words.tryIt('filesystem__read_text_file'));
  const sent: string[] = [];
  page.on('request', (request) => void sent.push(request.url()));

  await user.presses('button', words.run);

  await user.reads('A value is needed.');
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.not(
    sent.some((url) => url.endsWith('/mcp')),
    `${sent}`,
  );
});

test('a choice of the schema is a choice on the page, and an image is shown as one', async ({ visit }) => {
  const { user, page } = await visit();
  await user.presses('button', words.details('everything__get-annotated-message'));
  await user.presses('button', words.tryIt('everything__get-annotated-message'));
  await user.chooses(/messageType/i, 'error');
  await user.presses('button', words.run);
  await user.reads(/Error: Operation failed/);
  await page.keyboard.press('Escape');

  await user.presses('button', words.details('everything__get-tiny-image'));
  await user.presses('button', words.tryIt('everything__get-tiny-image'));
  await user.presses('button', words.run);
  const image = await page.waitForSelector('dialog img[src^="data:image/"]', { timeout: 5_000 });
  assert.ok(await image?.evaluate((it) => (it as HTMLImageElement).decode().then(() => true)));
  await inspect(page, 'try-tool-image');
});

test('an error of the tool and a refusal by protocol are told as such', async ({ visit }) => {
  const { user, page } = await visit();
  await user.presses('button', words.details('filesystem__read_text_file'));
  await user.presses('button', words.tryIt('filesystem__read_text_file'));
  await user.writes(/path/i, '/not/allowed');
  await user.presses('button', words.run);
  await waitUntil('it is an error of the tool', async () =>
    /^Result\s+Error from the tool/.test(await resultOf(page)),
  );
  assert.match(await resultOf(page), /access denied/i);
  await inspect(page, 'try-tool-error');
  await page.keyboard.press('Escape');

  await user.presses('button', words.details('fault__rpc_error'));
  await user.presses('button', words.tryIt('fault__rpc_error'));
  await user.presses('button', words.run);
  await waitUntil('the refusal is told', async () => /\w/.test(await resultOf(page)));
  assert.match(await resultOf(page), /^no$/);
});

test.run();

const token = 'gateway-token-of-this-test';
const guarded = await dashboardSuite('try a tool behind a token', {
  service: {
    configs: configFiles(...officialServers),
    groups: { 'svc-global': { name: 'svc-global', included_tools: ['everything__echo'] } },
    env: { GATEWAY_TOKEN: token },
  },
});

guarded(
  "the gateway's token is asked for, and a wrong one refused, before the tool runs",
  async ({ visit }) => {
    const { user, page } = await visit({ expects: /status of 401/ });
    await user.presses('button', words.details('everything__echo'));
    await user.presses('button', words.tryIt('everything__echo'));
    await user.writes(/message/i, 'hello behind a token');
    await user.presses('button', words.run);

    await user.reads('This gateway asks agents for a token.');
    await inspect(page, 'try-tool-token');
    const refused = page.waitForResponse((response) => response.status() === 401);
    await user.writes(/^Gateway token/, 'wrong');
    await user.presses('button', words.run);
    await refused;
    await user.writes(/^Gateway token/, token);
    await user.presses('button', words.run);

    await waitUntil('it ran', async () => (await resultOf(page)).includes('Echo: hello behind a token'));
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
    assert.not.match(stored, token);
  },
);

guarded.run();
