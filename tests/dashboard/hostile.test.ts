/** Names and descriptions from servers are hostile: they are shown, and nothing more. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { configFiles } from '../support/test-servers.ts';
import { seesBadge } from './support/badges.ts';
import { dashboardSuite } from './support/dashboard-suite.ts';
import { inspect } from './support/inspect.ts';
import { listingConfig, type Tool, writeTools } from './support/servers.ts';
import { words } from './support/words.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-hostile-'));
const path = join(folder, 'tools.json');
const inputSchema = { type: 'object', properties: { '<img src=x onerror=alert(1)>': { type: 'string' } } };
const markup = '<img src=x onerror="document.title=`pwned`"><script>document.title="pwned"</script>';
const rightToLeft = '\u202ereversed by an override\u202c and \u2066isolated\u2069 words';
const long = `It begins. ${'ten kilobytes of words '.repeat(440)}And it ends.`;
const tools: Tool[] = [
  { name: 'markup', description: markup, inputSchema },
  { name: 'closing', description: '</script></style></textarea></details>--><h1>Out</h1>', inputSchema },
  { name: 'template', description: `\${document.title="pwned"} {{7*7}} javascript:alert(1)`, inputSchema },
  { name: 'bidi', title: rightToLeft, description: rightToLeft, inputSchema },
  { name: 'long', description: long, inputSchema },
  { name: 'combining', description: `Z${'\u0351\u0300'.repeat(200)}algo`, inputSchema },
  { name: 'oneword', description: 'w'.repeat(3_000), inputSchema },
  { name: 'n'.repeat(55), description: 'A name that some clients drop', inputSchema },
  { name: '__proto__', description: 'A name that objects know', inputSchema },
  { name: 'constructor', description: 'Another one', inputSchema },
];
writeTools(path, tools);

const test = await dashboardSuite('hostile servers', {
  service: {
    configs: configFiles(
      listingConfig('hostile', path, { description: `<b onclick=alert(1)>bold</b> ${rightToLeft}` }),
    ),
    groups: {
      'svc-global': { name: 'svc-global', description: markup, included_tools: ['hostile__markup'] },
    },
  },
  close: async () => rmSync(folder, { recursive: true, force: true }),
});

test('markup and scripts are shown as text and do nothing', async ({ visit }) => {
  const { user, page } = await visit();

  await user.sees('checkbox', words.tool('hostile__markup'));
  await user.reads('<img src=x onerror=');
  await user.reads('</script></style>');
  await user.reads('{{7*7}}');
  for (const name of ['markup', 'closing', 'template']) {
    await user.presses('button', words.details(`hostile__${name}`));
  }
  await user.reads('"<img src=x onerror=alert(1)>"');

  assert.is.not(await page.title(), 'pwned');
  const foreign = await page.$$eval('img[src="x"], main script, b[onclick], h1', (found) =>
    found.map((it) => it.outerHTML).filter((html) => /Out|onerror|pwned|onclick/.test(html)),
  );
  assert.equal(foreign, []);
  await inspect(page, 'hostile');
});

test('overrides of the direction stay inside their own text', async ({ visit }) => {
  const { user, page } = await visit();
  await user.reads('reversed by an override');

  const isolations = await page.evaluate((text) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.textContent?.includes(text)) continue;
      let element: Element | null = node.parentElement;
      while (element && !/isolate|plaintext/.test(getComputedStyle(element).unicodeBidi))
        element = element.parentElement;
      found.push(element?.tagName === 'HTML' || !element ? 'none' : 'isolated');
    }
    return found;
  }, 'reversed by an override');
  assert.ok(isolations.length > 0);
  assert.ok(
    isolations.every((one) => one === 'isolated'),
    `${isolations}`,
  );
});

test('ten kilobytes are clamped, and whole on demand', async ({ visit }) => {
  const { user, page } = await visit();
  await user.reads('It begins.');
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  assert.ok((await height()) < 4_000, `${await height()} px`);

  await user.presses('button', words.details('hostile__long'));

  await user.reads('And it ends.');
});

test('a name too long for some clients is marked', async ({ visit }) => {
  const { user } = await visit();

  await user.sees('checkbox', new RegExp('n'.repeat(55)));
  await user.reads(words.tooLong);
});

test('a tool that vanished stays listed as missing, and one that came is new', async ({ visit }) => {
  const { user, page } = await visit();
  await user.sees('checkbox', words.tool('hostile__markup'));

  writeTools(path, [...tools.slice(1), { name: 'fresh', description: 'Came later', inputSchema }]);

  await user.sees('checkbox', words.tool('hostile__fresh'));
  await seesBadge(page, 'hostile__markup', 'missing');
  await seesBadge(page, 'hostile__fresh', 'new');
  await user.seesChecked(words.tool('hostile__markup'), true);
  await inspect(page, 'missing-and-new');
  await user.presses('checkbox', words.tool('hostile__markup'));
  await user.presses('button', words.save);
  await user.seesNo('checkbox', words.tool('hostile__markup'));
});

test.run();
