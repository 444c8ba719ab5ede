/** One view, as everybody meets it: wide and narrow, light and dark, each checked by axe and pictured. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'puppeteer-core';
import * as assert from 'uvu/assert';
import { projectDir } from '../../support/service-command.ts';
import { savePicture } from './screenshot.ts';

const schemes = ['light', 'dark'] as const;
const windows = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
] as const;

/** Asserts that axe finds nothing and that nothing has to be scrolled sideways; leaves the window as it was. */
export async function inspect(page: Page, view: string): Promise<void> {
  const before = page.viewport();
  for (const size of windows) {
    await page.setViewport(size);
    for (const scheme of schemes) {
      await page.emulateMediaFeatures([
        { name: 'prefers-color-scheme', value: scheme },
        { name: 'prefers-reduced-motion', value: 'reduce' },
      ]);
      await untilPainted(page);
      await savePicture(page, `${view}-${size.width}-${scheme}`);
      const where = `${view}, ${size.width} px, ${scheme}`;
      assert.equal(await accessibilityViolations(page), [], where);
      assert.is(await sidewaysScroll(page), 0, `${where}: pixels that have to be scrolled sideways`);
    }
  }
  await page.emulateMediaFeatures([]);
  await page.setViewport(before);
}

/** Rule and elements of each violation. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  // Evaluated by the debugger, so the page's policy need not be loosened for it.
  const isThere = await page.evaluate(() => 'axe' in window);
  if (!isThere)
    await page.evaluate(readFileSync(join(projectDir, 'node_modules/axe-core/axe.min.js'), 'utf8'));
  const { violations } = (await page.evaluate(
    'axe.run({ preload: false, resultTypes: ["violations"] })',
  )) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 300)} ${failureSummary ?? ''}`),
  );
}

function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return Math.max(0, scrollWidth - clientWidth);
  });
}

async function untilPainted(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const ending = document
      .getAnimations()
      .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.all(ending.map((animation) => animation.finished.catch(() => {})));
  });
}
