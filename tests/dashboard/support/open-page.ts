/** A page of the dashboard, with what it complains about collected, and a user before it. */
import type { Browser, ConsoleMessage, HTTPRequest, Page } from 'puppeteer-core';
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

/**
 * Chromium drops what is under way whenever a network interface of the machine comes or goes, as those of containers
 * do. No fault of the page.
 */
const networkChanged = 'net::ERR_NETWORK_CHANGED';
const mostOpenings = 10;

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
  const note = (text: string) =>
    void (expects?.test(text) || text.includes(networkChanged) || said.push(text));
  page.on('console', (message) => isBad(message) && note(`${message.type()}: ${textOf(message)}`));
  page.on('pageerror', (error) => note(`uncaught: ${(error as Error)?.message ?? error}`));
  await page.exposeFunction('reportViolation', (text: string) => note(`policy: ${text}`));
  await page.evaluateOnNewDocument(watchPolicy);
  await page.setViewport({ width, height });
  await open(page, `${url}${path}`);
  return { page, user: createUser(page), complaints: () => [...said], close: () => context.close() };
}

/** Until all that the page is made of has come. */
async function open(page: Page, address: string): Promise<void> {
  let isCut = false;
  const listen = (request: HTTPRequest) => {
    isCut ||= request.failure()?.errorText === networkChanged;
  };
  page.on('requestfailed', listen);
  for (let openings = 1; openings <= mostOpenings; openings += 1) {
    isCut = false;
    try {
      await page.goto(address);
      if (!isCut) break;
    } catch (error) {
      if (!`${error}`.includes(networkChanged)) throw error;
    }
    // An address with a hash would only be scrolled to.
    await page.goto('about:blank');
  }
  page.off('requestfailed', listen);
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
