/**
 * What a person does before a page, in the words of a screen reader: roles and accessible names. A test that finds its
 * way like this holds the page's accessibility as well.
 */
import type { ElementHandle, Page, SerializedAXNode } from 'puppeteer-core';
import { waitUntil as waitUntilOften } from '../../support/wait-until.ts';

export type Name = string | RegExp;
type Found = ElementHandle<Element>;

export interface User {
  /** Waits for an element of that role and name; the first one when there are several. */
  sees(role: string, name: Name, limitMs?: number): Promise<Found>;
  seesNo(role: string, name: Name, limitMs?: number): Promise<void>;
  /** Waits until this stands somewhere on the page as text that is shown. */
  reads(text: Name, limitMs?: number): Promise<string>;
  readsNo(text: Name, limitMs?: number): Promise<void>;
  /** Clicks, once it is there and enabled. */
  presses(role: string, name: Name): Promise<void>;
  /** Replaces what stands in a field. */
  writes(label: Name, text: string, role?: string): Promise<void>;
  /** Of a list, by what the option says. */
  chooses(label: Name, option: string): Promise<void>;
  /** `true`, `false` or `mixed`. */
  checked(label: Name): Promise<boolean | 'mixed'>;
  /** Waits for that state of a checkbox. */
  seesChecked(label: Name, state: boolean | 'mixed', limitMs?: number): Promise<void>;
  /** Role and name of what has the focus. */
  focus(): Promise<string>;
}

/** Under load one look at the whole tree takes more than a second. */
const lookLimitMs = 15_000;

/** Reading the whole tree costs the page time that it needs itself. */
const waitUntil: typeof waitUntilOften = (what, ask, options = {}) =>
  waitUntilOften(what, ask, { everyMs: 80, ...options });

export function createUser(page: Page): User {
  const all = async (role: string, name: Name): Promise<SerializedAXNode[]> => {
    const tree = await page.accessibility.snapshot({ interestingOnly: false });
    return tree ? nodesOf(tree).filter((node) => node.role === role && fits(node.name ?? '', name)) : [];
  };
  const text = () => page.evaluate(() => document.body.innerText);

  async function find(role: string, name: Name, limitMs = lookLimitMs): Promise<Found> {
    const what = `there is a ${role} ${name}`;
    const found = await waitUntil(
      what,
      async () => {
        const [node] = await all(role, name);
        return (await node?.elementHandle()) as Found | undefined;
      },
      { limitMs },
    );
    return found;
  }

  async function checked(label: Name): Promise<boolean | 'mixed'> {
    const [node] = await waitUntil(`there is a checkbox ${label}`, async () => {
      const nodes = await all('checkbox', label);
      return nodes.length > 0 && nodes;
    });
    return node?.checked ?? false;
  }

  return {
    sees: find,
    async seesNo(role, name, limitMs = lookLimitMs) {
      await waitUntil(`no ${role} ${name} is left`, async () => (await all(role, name)).length === 0, {
        limitMs,
      });
    },
    reads: (wanted, limitMs = lookLimitMs) =>
      waitUntil(`it says ${wanted}`, async () => fits(await text(), wanted, true) && text(), { limitMs }),
    async readsNo(unwanted, limitMs = lookLimitMs) {
      await waitUntil(`it no longer says ${unwanted}`, async () => !fits(await text(), unwanted, true), {
        limitMs,
      });
    },
    async presses(role, name) {
      await waitUntil(`${role} ${name} can be pressed`, async () => {
        const element = await find(role, name, 2_000);
        if (await element.evaluate((it) => it.matches(':disabled,[aria-disabled="true"]'))) return false;
        await element.click();
        return true;
      });
    },
    async writes(label, value, role = 'textbox') {
      const field = await find(role, label);
      await field.evaluate((it) => {
        (it as HTMLInputElement).focus();
        (it as HTMLInputElement).select?.();
      });
      await page.keyboard.press('Backspace');
      await page.keyboard.sendCharacter(value);
    },
    async chooses(label, option) {
      const field = (await find('combobox', label)) as ElementHandle<HTMLSelectElement>;
      const { value } = await waitUntil(`${label} has an option ${option}`, () =>
        field.evaluate(({ options }, text) => {
          const one = [...options].find(({ text: said }) => said.trim() === text);
          return one && { value: one.value };
        }, option),
      );
      await field.select(value);
    },
    checked,
    async seesChecked(label, state, limitMs = lookLimitMs) {
      await waitUntil(`${label} is ${state}`, async () => (await checked(label)) === state, { limitMs });
    },
    async focus() {
      const tree = await page.accessibility.snapshot({ interestingOnly: false });
      const focused = tree ? nodesOf(tree).filter((node) => node.focused && node.role !== 'RootWebArea') : [];
      const node = focused.at(-1);
      return node ? `${node.role} ${node.name}` : 'nothing';
    },
  };
}

function nodesOf(node: SerializedAXNode): SerializedAXNode[] {
  return [node, ...(node.children ?? []).flatMap(nodesOf)];
}

function fits(text: string, wanted: Name, isPart = false): boolean {
  if (typeof wanted !== 'string') return wanted.test(text);
  return isPart ? text.includes(wanted) : text === wanted;
}
