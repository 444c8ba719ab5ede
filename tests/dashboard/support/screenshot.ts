import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { projectDir } from '../../support/service-command.ts';

const folder = join(projectDir, '.screenshots');

/** What the window shows, as `.screenshots/<name>.png`; git ignores the folder. */
export async function savePicture(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name.replaceAll(/[^\w.-]+/g, '-')}.png`) as `${string}.png`;
  await page.screenshot({ path });
}
