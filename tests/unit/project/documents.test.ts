/** Whatever is cited can be opened: files, headings, decisions and links of sources, tests, scripts and pages. */
import { posix } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  begins,
  citedHeadings,
  commentsOf,
  type Found,
  marksOfLists,
  namedDecisions,
  namedDecisionsOfDecision,
  namedFiles,
  namedPages,
  occurrences,
  sectionsOfNothing,
} from '../../support/citations.ts';
import { anchorsOf, headingsOf, type Link, linksOf } from '../../support/markdown.ts';
import { listFiles, readText } from '../../support/source-files.ts';

const test = suite('documents');

/** Pages that are being written: their headings. An entry counts until its page is there, and may go then. */
const awaited: Readonly<Record<string, readonly string[]>> = {
  'docs/api.md': [
    ...['Answers', 'Guard', 'Bodies', 'Rights', 'Tools', 'Groups', 'Servers', 'Service', 'Gateway'],
    ...[
      'Records',
      'Events',
      'Error codes',
      'Group files',
      'Server configs',
      'Names',
      'Command line',
      'Settings',
    ],
  ],
};

/** Names of documents that nobody but their authors can open. */
const privateNames =
  /\b(?:mcp-spec|mcp-2026|http-api|threats-and-promises|prior-art|(?<!-)(?:libraries|docker|peers|house|style|specification)\.md|(?:contract|architecture|threats) +section)\b/gi;

/** Files that are named and are not in the repository, and why. */
const elsewhere: Readonly<Record<string, string>> = {
  'readme.md': 'a test makes it',
  'notes.md': 'a test makes it',
  'things.ts': 'an example of CONTRIBUTING.md',
  'handlers/manager/things/post-things.ts': 'an example of CONTRIBUTING.md',
  'lib/x.ts': 'an example of a path',
  'lib/fs.js': 'a file of a package',
  'config.json': 'of docker',
  'claude_desktop_config.json': 'of an agent',
  '.cursor/mcp.json': 'of an agent',
  '.vscode/mcp.json': 'of an agent',
};

const tracked = new Set(listFiles());
const folders = new Set([...tracked].flatMap(foldersOf));
/** Text that people wrote: no pictures, no records of an installation, and no list of forbidden words. */
const paths = [...tracked].filter(
  (path) =>
    !/\.(gz|tgz|br|png|ico|svg|woff2?)$|(^|\/)package-lock\.json$|^tests\/fixtures\//.test(path) &&
    !/^tests\/(unit\/project\/(documents|citations)\.test|support\/citations)\.ts$/.test(path),
);
const texts = new Map(paths.map((path) => [path, readText(path)]));
const pages = paths.filter((path) => path.endsWith('.md'));
const roots = [...folders].filter((folder) => !folder.includes('/'));
const decisions = [...tracked].flatMap((path) => /^docs\/decisions\/(\d{4})-/.exec(path)?.[1] ?? []);

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

/** `path:line: text` of everything that a look at each text finds. */
function report(look: (text: string, path: string) => readonly Found[], among: readonly string[] = paths) {
  return among
    .flatMap((path) => look(texts.get(path) ?? '', path).map(({ text, line }) => `${path}:${line}: ${text}`))
    .join('\n');
}

/** The file that is meant by a name: as it is written, beside the page that names it, or by the end of its path. */
function fileOf(name: string, from: string): string | undefined {
  const known = [name, posix.join(posix.dirname(from), name)].find(
    (path) => tracked.has(path) || path in awaited,
  );
  return known ?? (name.startsWith('.') ? undefined : [...tracked].find((path) => path.endsWith(`/${name}`)));
}

function isAbsent({ text: name }: Found, from: string): boolean {
  return fileOf(name, from) === undefined && !(name in elsewhere);
}

/** What is wrong with a link of a page; undefined: it leads somewhere. */
function problemOf({ target }: Link, from: string): string | undefined {
  if (/^[a-z][a-z+.-]*:/i.test(target)) return URL.canParse(target) ? undefined : 'is no address';
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? from : posix.join(posix.dirname(from), file).replace(/\/$/, '');
  if (!tracked.has(path) && !folders.has(path)) return path in awaited ? undefined : 'leads to no file';
  if (anchor === undefined) return undefined;
  return anchorsOf(readText(path)).includes(anchor) ? undefined : 'leads to no heading';
}

/** True also for a page that is not there, which another test reports. */
function hasHeading(page: string, from: string, after: string): boolean {
  const path = fileOf(page, from);
  if (path === undefined) return true;
  const headings = tracked.has(path) ? headingsOf(readText(path)) : (awaited[path] ?? []);
  return headings.some((heading) => begins(after, heading));
}

test('links lead to files and headings that are there, addresses can be read', () => {
  const dead = (text: string, path: string) =>
    linksOf(text).flatMap((link) => {
      const problem = problemOf(link, path);
      return problem === undefined ? [] : { line: link.line, text: `${link.target} ${problem}` };
    });

  assert.ok(pages.length > 30);
  assert.is(report(dead, pages), '');
});

test('a page that is named is there', () => {
  const absent = (text: string, path: string) => namedPages(text).filter((named) => isAbsent(named, path));

  assert.is(report(absent), '');
});

test('a decision that is named by its number is there', () => {
  const absent = (text: string, path: string) =>
    [
      ...namedDecisions(text),
      ...(path.startsWith('docs/decisions/') ? namedDecisionsOfDecision(text) : []),
    ].filter(({ text: number }) => !decisions.includes(number));

  assert.is(report(absent), '');
});

test('a heading that is cited after its page is there', () => {
  const absent = (text: string, path: string) =>
    citedHeadings(text)
      .filter(({ page, text: after }) => !hasHeading(page, path, after))
      .map(({ page, text: after, line }) => ({ line, text: `${page} has no heading for "${after}"` }));

  assert.is(report(absent), '');
});

test('a file that a comment or a page names is there', () => {
  const absent = (text: string, path: string) =>
    namedFiles(commentsOf(path, text), roots).filter((named) => isAbsent(named, path));

  assert.is(
    report(
      absent,
      paths.filter((path) => path !== 'CHANGELOG.md'),
    ),
    '',
  );
});

test('nothing cites a document that is not in the repository', () => {
  assert.is(
    report((text) => occurrences(text, privateNames)),
    '',
  );
});

test('a section is one of a document that is named beside it', () => {
  assert.is(report(sectionsOfNothing), '');
});

test('nothing is named after its place in a list that lies elsewhere', () => {
  assert.is(report(marksOfLists), '');
});

test('every exception is still needed', () => {
  const named = new Set(
    [...texts].flatMap(([path, text]) =>
      [...namedPages(text), ...namedFiles(commentsOf(path, text), roots)].map((found) => found.text),
    ),
  );

  assert.equal(
    Object.keys(elsewhere).filter((name) => !named.has(name) || fileOf(name, 'README.md') !== undefined),
    [],
  );
});

test.run();
