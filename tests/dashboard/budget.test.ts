/** What the page costs: its weight, and its work with 2,000 tools. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import * as assert from 'uvu/assert';
import { listFiles } from '../support/source-files.ts';
import { configFiles } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';
import { dashboardSuite } from './support/dashboard-suite.ts';
import { savePicture } from './support/screenshot.ts';
import { listingConfig, officialServers, twoGroups, writeTools } from './support/servers.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-many-'));
const sizes = { large: 1_200, medium: 500, small: 300 };
const configs = Object.entries(sizes).map(([name, count]) => {
  const path = join(folder, `${name}.json`);
  writeTools(
    path,
    Array.from({ length: count }, (_, at) => madeTool(at)),
  );
  return listingConfig(name, path, { description: `${count} tools` });
});
const targets = { paintMs: 1_000, tickMs: 50 };
const test = await dashboardSuite('budget', {
  service: { configs: configFiles(...configs, ...officialServers), groups: twoGroups },
  close: async () => rmSync(folder, { recursive: true, force: true }),
});

function madeTool(at: number) {
  const properties = { path: { type: 'string', description: 'Where to look' }, limit: { type: 'integer' } };
  return {
    name: `do_thing_${at}`,
    description: `Does thing number ${at} to whatever stands at the path, and tells what came of it.`,
    inputSchema: { type: 'object', properties, required: ['path'] },
  };
}

test('the page weighs at most 100 KB uncompressed, tool data aside', async ({ visit, service }) => {
  const { page } = await visit();
  const opening = await page.evaluate(() => {
    const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
    return [...new Set(['/', ...loaded.filter((path) => path.startsWith('/static/'))])];
  });
  const entries = await weigh(service.managerUrl, opening);
  const later = await weigh(
    service.managerUrl,
    ownFiles().filter((path) => !opening.includes(path)),
  );

  const [sum, rest] = [sumOf(entries), sumOf(later)];
  console.log(
    `  at opening ${entries.length} files, ${inKilobytes(sum)}; later ${later.length} files, ${inKilobytes(rest)}`,
  );
  const heaviest = entries.sort((a, b) => b.bytes - a.bytes).map(({ file, bytes }) => `${file} ${bytes}`);
  assert.ok(sum <= 100 * 1024, `${sum} bytes:\n${heaviest.join('\n')}`);
});

/** Scripts and styles of the page, those of the libraries aside. */
function ownFiles(): string[] {
  return listFiles()
    .filter((path) => /^static\/.*\.(js|css)$/.test(path))
    .map((path) => `/${path}`);
}

function weigh(url: string, paths: readonly string[]): Promise<{ file: string; bytes: number }[]> {
  return Promise.all(
    paths.map(async (file) => {
      const answer = await fetch(`${url}${file}`);
      assert.is(answer.status, 200, file);
      return { file, bytes: (await answer.arrayBuffer()).byteLength };
    }),
  );
}

const sumOf = (entries: readonly { bytes: number }[]) => entries.reduce((sum, { bytes }) => sum + bytes, 0);
const inKilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;

test('everything comes from the manager itself', async ({ visit, service }) => {
  const { page } = await visit({ settles: false });
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(service.managerUrl)) foreign.push(request.url());
  });

  await page.reload();
  await page.waitForSelector('[type=checkbox]');

  assert.equal(foreign, []);
});

test('2,000 tools are painted quickly, and a tick is answered quickly', async ({ visit }) => {
  const { page } = await visit({ settles: false });
  await page.waitForSelector('[type=checkbox]', { timeout: 30_000 });
  await waitUntil('all are listed', async () => (await page.$$('[type=checkbox]')).length > 2_000, {
    limitMs: 20_000,
  });
  const paints = await loadTimes(page, 5);
  const ticks = await tickTimes(page, 15);

  console.log(
    `  with 2,000 tools: the first ones painted after ${against(median(paints), targets.paintMs)}, a tick takes ${against(median(ticks), targets.tickMs)}`,
  );
  assert.ok(median(paints) < 5_000, `${paints}`);
  assert.ok(median(ticks) < 500, `${ticks}`);
  await savePicture(page, 'many-tools-1280-light');
});

/** The figure beside what is wanted; a busy machine may miss it, so the limits that are asserted are wider. */
function against(ms: number, target: number): string {
  return `${ms} ms (target ${target}: ${ms < target ? 'holds' : 'MISSED'})`;
}

/** From the start of the navigation to the frame in which the first tools of the list stand. */
async function loadTimes(page: Page, times: number): Promise<number[]> {
  const found: number[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    await page.reload();
    await page.waitForSelector('.tool [type=checkbox]', { timeout: 20_000 });
    found.push(
      await page.evaluate(
        () =>
          new Promise<number>((resolve) =>
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))),
          ),
      ),
    );
  }
  return found.map(Math.round);
}

/** From the click to the frame that shows it, all of the page's work in between included. */
function tickTimes(page: Page, times: number): Promise<number[]> {
  return page.evaluate(async (count) => {
    const boxes = [...document.querySelectorAll<HTMLInputElement>('.tool [type=checkbox]')];
    const found: number[] = [];
    for (let turn = 0; turn < count; turn += 1) {
      const startedAt = performance.now();
      boxes[turn * 40]?.click();
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      found.push(Math.round(performance.now() - startedAt));
    }
    return found;
  }, times);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

test.run();
