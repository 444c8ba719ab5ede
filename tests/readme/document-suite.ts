/**
 * A document as a suite: each block that people copy is a test, in order, on one fresh clone. A command without an
 * expectation fails, and so does an expectation whose command is no longer there: what a document tells people to type
 * is never untested.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectDir } from '../support/service-command.ts';
import type { Expectation, Expectations } from './expectation.ts';
import { type FreshClone, makeFreshClone } from './fresh-clone.ts';
import { tryJson } from './json-blocks.ts';
import { type Block, blocksOf, commandsInTables } from './markdown-blocks.ts';
import { memoryImageProblem } from './memory-image.ts';
import { runDocumented } from './run-command.ts';
import { splitCommands } from './split-commands.ts';

const shells = new Set(['sh', 'bash', 'console', 'shell']);

export interface DocumentOptions {
  /** Below the project. */
  readonly path: string;
  readonly commands: Expectations;
  /** Before the first block, where the document begins with a service that runs. */
  readonly prepare?: (clone: FreshClone) => Promise<unknown>;
}

/** The tests of a document, to be run. */
export function documentSuite({ path, commands, prepare }: DocumentOptions): Test {
  const test = suite(path);
  const open = [...commands];
  const markdown = readFileSync(join(projectDir, path), 'utf8');
  let clone: FreshClone;

  test.before(async () => {
    clone = await makeFreshClone();
    await prepare?.(clone);
  });
  test.after(() => clone.remove());

  const take = (text: string): Expectation | undefined => {
    const at = open.findIndex(([command]) => command === text);
    return at < 0 ? undefined : open.splice(at, 1)[0]?.[1];
  };
  for (const block of blocksOf(markdown)) {
    const title = `${path}:${block.line} (${block.heading})`;
    if (shells.has(block.language)) addShellBlock(test, { path, title, block, take, clone: () => clone });
    else addOtherBlock(test, { title, block, clone: () => clone });
  }
  for (const { line, text } of commandsInTables(markdown)) {
    const title = `${path}:${line} ${text}`;
    addCommands(test, { title, commands: [{ text, prints: [], line: 0 }], take, clone: () => clone });
  }
  test(`${path} holds every command that is tested`, () => {
    assert.equal(
      open.map(([command]) => command),
      [],
    );
  });
  return test;
}

type Test = ReturnType<typeof suite>;
interface Context {
  readonly title: string;
  readonly clone: () => FreshClone;
}

function addShellBlock(
  test: Test,
  {
    path,
    block,
    ...context
  }: Context & { path: string; block: Block; take(text: string): Expectation | undefined },
): void {
  const commands = splitCommands(block.text).map((command) => ({
    ...command,
    title: `${path}:${block.line + 1 + command.line}`,
  }));
  addCommands(test, { ...context, commands });
}

function addCommands(
  test: Test,
  {
    title,
    commands,
    take,
    clone,
  }: Context & {
    commands: ReturnType<typeof splitCommands>;
    take(text: string): Expectation | undefined;
  },
): void {
  const planned = commands.map((command) => ({ command, expected: take(command.text) }));
  test(title, async () => {
    for (const { command, expected } of planned) {
      if (expected === undefined) {
        throw new Error(
          `No test knows this command; say what it is held to, in tests/readme/:\n${command.text}`,
        );
      }
      const missing = whyNot(expected);
      const reason = whyNotRun(expected, missing);
      if (reason) console.log(`SKIPPED ${title}: \`${command.text.split('\n')[0]}\`: ${reason}`);
      if (!missing) await named(command.text, runDocumented(clone(), command, expected));
    }
  });
}

/** Undefined: it is run here. @param missing What the machine has not, of what it needs. */
export function whyNotRun({ skipped, elsewhere }: Expectation, missing: string | undefined) {
  return skipped ?? missing ?? (elsewhere && `it is run by ${elsewhere.file}`);
}

async function named(text: string, work: Promise<void>): Promise<void> {
  await work.catch((error: Error) => {
    error.message = `\`${text}\`: ${error.message}`;
    throw error;
  });
}

function whyNot({ needs }: Expectation): string | undefined {
  if (needs === 'memory image') return memoryImageProblem();
  if (needs !== 'Postgres') return undefined;
  if (!process.env.TEST_POSTGRES_URL) return 'there is no Postgres here';
  return spawnSync('pg_dump', ['--version']).status === 0 ? undefined : 'there is no pg_dump here';
}

function addOtherBlock(test: Test, { title, block, clone }: Context & { block: Block }): void {
  const { language, text } = block;
  if (language === 'json') test(title, () => tryJson(clone(), text));
  else if (language === 'ini') test(title, () => assertSettings(text));
  else if (!['mermaid', 'yaml', 'text'].includes(language)) {
    test(title, () => assert.unreachable(`what a block of language "${language}" is for, no test knows`));
  }
}

/** Lines as in `.env`: each names a setting. */
function assertSettings(text: string): void {
  const example = readFileSync(join(projectDir, '.env.example'), 'utf8');
  const known = new Set([...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name));
  const unknown = text.split('\n').filter((line) => !known.has(/^([A-Z_]+)=/.exec(line)?.[1] ?? ''));
  assert.equal(unknown, []);
}
