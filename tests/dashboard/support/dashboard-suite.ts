/**
 * A suite of tests in a real Chromium against the real service. Each test opens pages of its own and they are closed
 * after it; whatever a page complained about meanwhile (the console, the policy, an uncaught error) fails the test.
 * A failed test leaves a picture of each page in `.screenshots/`.
 */
import type { Browser } from 'puppeteer-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startChromium } from '../../../scripts/chromium.ts';
import { type RunningService, type RunServiceOptions, runService } from '../../support/run-service.ts';
import { type OpenPageOptions, openPage, type Visit } from './open-page.ts';
import { savePicture } from './screenshot.ts';

export interface Dashboard {
  readonly service: RunningService;
  /** Opens the dashboard in a new page. */
  visit(options?: OpenPageOptions): Promise<Visit>;
}

/** Used as suites of uvu are. */
export interface DashboardSuite {
  (name: string, body: (dashboard: Dashboard) => Promise<void>): void;
  run(): void;
}

export interface DashboardSuiteOptions {
  /** Starts the service where plain `runService` is not enough; undefined skips all tests. */
  readonly start?: () => Promise<RunningService | undefined>;
  readonly service?: RunServiceOptions;
  /** After the pages and the browser are gone. */
  readonly close?: () => Promise<unknown>;
}

export async function dashboardSuite(
  title: string,
  { service: settings = {}, start = () => runService(settings), close }: DashboardSuiteOptions = {},
): Promise<DashboardSuite> {
  const browser = await startChromium();
  const service = browser && (await start());
  const tests = suite(`dashboard: ${title}`);
  tests.after(async () => {
    await browser?.close();
    await service?.remove();
    await close?.();
  });
  const test: DashboardSuite = (name, body) => {
    if (!browser || !service) tests.skip(name);
    else tests(name, () => runTest(name, browser, service, body));
  };
  test.run = () => tests.run();
  return test;
}

async function runTest(
  name: string,
  browser: Browser,
  service: RunningService,
  body: (dashboard: Dashboard) => Promise<void>,
): Promise<void> {
  const visits: Visit[] = [];
  async function visit(options: OpenPageOptions = {}): Promise<Visit> {
    const opened = await openPage(browser, service.managerUrl, options);
    visits.push(opened);
    if (options.settles ?? true) await opened.user.sees('heading', /tools/i);
    return opened;
  }
  try {
    await body({ service, visit });
    for (const { complaints } of visits) assert.equal(complaints(), []);
  } catch (error) {
    for (const { page } of visits) await savePicture(page, `failed ${name}`).catch(() => {});
    for (const { complaints } of visits) if (complaints().length > 0) console.error(complaints());
    throw error;
  } finally {
    for (const { close } of visits) await close();
  }
}
