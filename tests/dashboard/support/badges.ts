import type { Page } from 'puppeteer-core';
import { waitUntil } from '../../support/wait-until.ts';

/** Waits for a badge of that text in the row of that tool; the same words stand elsewhere on the page as well. */
export async function seesBadge(page: Page, tool: string, text: string): Promise<void> {
  await waitUntil(`${tool} is marked as ${text}`, async () => (await badgesOf(page, tool)).includes(text));
}

function badgesOf(page: Page, tool: string): Promise<string[]> {
  return page.$$eval(
    '.tool',
    (rows, name) => {
      const row = rows.find((one) => one.querySelector('.tool-pick code')?.textContent === name);
      return [...(row?.querySelectorAll('.badge') ?? [])].map((badge) => badge.textContent);
    },
    tool,
  );
}
