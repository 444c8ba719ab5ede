/** A page of the dashboard, with what it complains about collected, and a user before it. */
import type { Browser, ConsoleMessage, Page } from 'puppeteer-core';
import { createUser, type User } from './user.ts';

export interface OpenPageOptions {
  readonly width?: number;
  readonly height?: number;
  /** Beside the manager's address. */
  readonly path?: string;
  readonly url?: string;
  /** What the console may say in this test, such as a failed request that is meant to fail. */
  readonly expects?: RegExp;
  /** `false`: the visit begins before the page shows anything. */
  readonly settles?: boolean;
}

export interface Visit {
  readonly page: Page;
  readonly user: User;
  /** Errors and warnings of the console, violations of the policy, uncaught errors, dialogs nobody answered. */
  complaints(): string[];
  close(): Promise<void>;
}

export async function openPage(
  browser: Browser,
  managerUrl: string,
  options: OpenPageOptions,
): Promise<Visit> {
  const { width = 1280, height = 900, path = '/', url = managerUrl, expects } = options;
  // A context of its own: nothing is shared with other pages but the service.
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const said: string[] = [];
  const note = (text: string) => void (expects?.test(text) || said.push(text));
  page.on('console', (message) => isBad(message) && note(`${message.type()}: ${textOf(message)}`));
  page.on('pageerror', (error) => note(`uncaught: ${(error as Error)?.message ?? error}`));
  await page.exposeFunction('reportViolation', (text: string) => note(`policy: ${text}`));
  await page.evaluateOnNewDocument(watchPolicy);
  await page.setViewport({ width, height });
  await page.goto(`${url}${path}`);
  return { page, user: createUser(page), complaints: () => [...said], close: () => context.close() };
}

function isBad(message: ConsoleMessage): boolean {
  return ['error', 'warn', 'assert', 'issue'].includes(message.type());
}

function textOf(message: ConsoleMessage): string {
  const { url } = message.location();
  return url ? `${message.text()} (${new URL(url).pathname})` : message.text();
}

function watchPolicy(): void {
  document.addEventListener('securitypolicyviolation', (event) => {
    const report = (window as unknown as { reportViolation(text: string): void }).reportViolation;
    report(`${event.violatedDirective} ${event.blockedURI}`);
  });
}
