/** `docs/protocol.md` says what each rule demands and which test holds it; whoever renames one changes the page. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectDir } from '../../../support/service-command.ts';
import { listFiles, readText } from '../../../support/source-files.ts';

const test = suite('the rules of docs/protocol.md');
const page = readText('docs/protocol.md');

interface Entry {
  readonly name: string;
  readonly blocks: readonly string[];
}

/** A path in back-quotes, and what is quoted behind it until the next one. */
function references(text: string): { path: string; quotes: string[] }[] {
  return [...text.matchAll(/`((?:tests|lib|handlers|docs)\/[^`\s]+)`([^`]*)/g)].map(
    ([, path = '', after = '']) => ({
      path,
      quotes: [...after.matchAll(/"([^"]+)"/g)].map(([, quote = '']) => quote),
    }),
  );
}

/** `### Rule 7`, or `### Error codes`. */
function entriesOf(text: string): Entry[] {
  return text.split(/^(?=#{2,3} )/m).flatMap((section) => {
    const [heading = '', ...blocks] = section.trim().split(/\n{2,}/);
    const name = /^### Rule (\d+)$|^### (Error codes)$/.exec(heading);
    return name === null ? [] : [{ name: name[1] ?? name[2] ?? '', blocks }];
  });
}

/** The addresses behind `[text][key]`, by the definitions at the end of the page. */
function addressesIn(block: string, text: string): string[] {
  const defined = new Map(
    [...text.matchAll(/^\[([\w-]+)\]: (\S+)$/gm)].map(([, key, address]) => [key, address]),
  );
  return [...block.matchAll(/\]\[([\w-]+)\]/g)].map(([, key]) => defined.get(key) ?? `[${key}]`);
}

function problemsOf({ name, blocks }: Entry, text: string): string[] {
  const demands = blocks.filter((block) => block.startsWith('**'));
  const found =
    demands.length === 0 ? ['no text'] : demands.flatMap((block) => problemsOfDemand(block, text));
  for (const [at, block] of blocks.entries()) {
    const isDeed = block.startsWith('- ');
    if (!isDeed && !block.startsWith('**')) found.push(`neither a rule nor what we do: ${block}`);
    if (!isDeed && !blocks[at + 1]?.startsWith('- ')) found.push('no word of what we do');
    if (isDeed) found.push(...block.split(/\n(?=- )/).flatMap(problemsOfDeed));
  }
  return found.map((problem) => `rule ${name}: ${problem}`);
}

/** What MCP demands needs a text and its place in the specification; what we judge ourselves needs a reason. */
function problemsOfDemand(block: string, text: string): string[] {
  const [, level, demand = ''] = /^\*\*(.+?)\*\* ([\s\S]*)$/.exec(block) ?? [];
  const [rule = '', reason = ''] = demand.replace(/\([^()]*\]\[[\s\S]*\)/, '').split('*Why:*');
  const addresses = addressesIn(block, text);
  const found = rule.trim().split(/\s+/).length < 4 ? ['no text'] : [];
  if (level !== 'M' && level !== 'S' && level !== 'J') found.push(`no level ${level}`);
  if (level === 'J' && reason.trim().split(/\s+/).length < 4) found.push('no reason');
  if (level !== 'J' && addresses.length === 0) found.push('no source');
  const foreign = addresses.filter((address) => !address.startsWith('https://modelcontextprotocol.io/'));
  return [...found, ...foreign.map((address) => `${address} is no page of the specification`)];
}

function problemsOfDeed(deed: string): string[] {
  const found = references(deed);
  const isHeld = found.some(({ path, quotes }) => path.startsWith('tests/') && quotes.length > 0);
  return [
    ...(found.some(({ path }) => /^(lib|handlers)\//.test(path)) ? [] : [`no file: ${deed}`]),
    ...(isHeld ? [] : [`no test by its name: ${deed}`]),
  ];
}

/** The numbers of rules that a file names: in comments, over the end of a line too, and in names of tests. */
function citedIn(text: string): string[] {
  const flat = text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ');
  const lists = flat.matchAll(/\brules? (\d+(?:\.\d+)?(?:(?:, and | and |, | to )\d+)*)/gi);
  const numbers = [...lists].flatMap(([, list = '']) => numbersIn(list));
  const codes = /docs\/protocol\.md, error codes/.test(flat) ? ['Error codes'] : [];
  return [...new Set([...numbers, ...codes])];
}

function numbersIn(list: string): string[] {
  return list.split(/, and | and |, /).flatMap((part) => {
    const [first = '', last] = part.split(' to ');
    if (last === undefined) return [first];
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => String(Number(first) + at));
  });
}

const entries = entriesOf(page);
const sources = listFiles().filter((path) =>
  /^(lib|handlers|static|tests)\/.*\.(ts|m?js)$|^server\.ts$/.test(path),
);

test('every file it names is there', () => {
  const missing = references(page).filter(({ path }) => !existsSync(join(projectDir, path)));

  assert.equal(missing, []);
});

test('every quoted text stands in the test it is said to be in', () => {
  const missing = references(page).flatMap(({ path, quotes }) =>
    quotes.filter((quote) => !readText(path).includes(quote)).map((quote) => `${path}: ${quote}`),
  );

  assert.equal(missing, []);
});

test('every entry has its text, its source or reason, its file and a test by its name', () => {
  assert.equal(
    entries.flatMap((entry) => problemsOf(entry, page)),
    [],
  );
});

test('every promise for replicas names where it lives, and a test by its name', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && line.includes('`tests/'));

  assert.ok(rows.length > 4, `${rows.length} rows`);
  assert.equal(rows.flatMap(problemsOfDeed), []);
});

test('no rule of the revisions that we speak is left out, and none is there twice', () => {
  const names = entries.map(({ name }) => name);
  const numbers = Array.from({ length: 53 }, (_, at) => String(at + 1));

  assert.equal(
    [...numbers, 'Error codes'].filter((number) => !names.includes(number)),
    [],
  );
  assert.is(new Set(names).size, names.length);
});

test('every rule that a source or a test names is here', () => {
  const names = new Set(entries.map(({ name }) => name));
  const cited = sources.flatMap((path) => citedIn(readText(path)).map((name) => ({ path, name })));

  assert.ok(cited.length > 100, `${cited.length} citations`);
  assert.equal(
    cited.filter(({ name }) => !names.has(name)),
    [],
  );
});

test('sources name a rule together with this page, so that a reader can open it', () => {
  const bare = sources
    .filter((path) => !path.startsWith('tests/'))
    .filter((path) => /(?<!docs\/protocol\.md, )\brules? \d/i.test(readText(path).replace(/\n\s*\* /g, ' ')));

  assert.equal(bare, []);
});

test('every address at the end of the page is of the specification, and used', () => {
  const defined = [...page.matchAll(/^\[([\w-]+)\]: /gm)].map(([, key = '']) => key);

  assert.equal(
    defined.filter((key) => !page.includes(`][${key}]`)),
    [],
  );
  assert.equal(
    addressesIn(page, page).filter((address) => !address.startsWith('https://modelcontextprotocol.io/')),
    [],
  );
});

test('an entry that lacks something is found', () => {
  const link = '[spec]: https://modelcontextprotocol.io/specification';
  const deed = '- It does. *In* `lib/x.ts`, *held by* `tests/x.test.ts` "x".';
  const problems = (...blocks: string[]) =>
    entriesOf(['### Rule 7', ...blocks].join('\n\n')).flatMap((entry) => problemsOf(entry, link));

  assert.equal(problems('**M** Requests are answered at once. ([Spec][spec])', deed), []);
  assert.equal(problems('**J** Requests are answered at once. *Why:* a client waits otherwise.', deed), []);
  assert.match(problems(deed)[0] ?? '', 'no text');
  assert.match(problems('**M** ([Spec][spec])', deed)[0] ?? '', 'no text');
  assert.match(problems('**S** Requests are answered at once.', deed)[0] ?? '', 'no source');
  assert.match(problems('**S** Requests are answered. ([Spec][gone])', deed).at(-1) ?? '', 'no page');
  assert.match(problems('**J** Requests are answered at once.', deed)[0] ?? '', 'no reason');
  assert.match(problems('**M** Requests are answered at once. ([Spec][spec])')[0] ?? '', 'what we do');
  assert.match(
    problems('**M** All is answered at once. ([Spec][spec])', '- `tests/x.ts` "x"')[0] ?? '',
    'file',
  );
  assert.match(problems('**M** All is answered at once. ([Spec][spec])', '- `lib/x.ts`')[0] ?? '', 'test');
});

test('a citation is found in any form', () => {
  assert.equal(citedIn('// docs/protocol.md, rules 2 to 4 and 49'), ['2', '3', '4', '49']);
  assert.equal(citedIn(' * (docs/protocol.md,\n * rules 44, 50). All'), ['44', '50']);
  assert.equal(citedIn("test('rule 29: ids')"), ['29']);
  assert.equal(citedIn('(docs/protocol.md, error codes)'), ['Error codes']);
});

test.run();
