/** The looks of `documents.test.ts` find what they are for: each on a small text. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as citations from '../../support/citations.ts';
import { anchorsOf, headingsOf, linksOf } from '../../support/markdown.ts';

const test = suite('citations');

/** `line text` of each. */
function told(found: readonly citations.Found[]): string[] {
  return found.map(({ text, line }) => `${line} ${text}`);
}

test('headings and their anchors are those that GitHub makes', () => {
  const page = [
    '# Group *files*, and `configs/`',
    '```sh',
    '# a comment',
    '```',
    '## Data',
    '## Data ##',
    '### From [docker](x.md): Überall — 2.1',
    '<a id="here"></a>',
  ].join('\n');

  assert.equal(headingsOf(page), ['Group files, and configs/', 'Data', 'Data', 'From docker: Überall — 2.1']);
  assert.equal(anchorsOf(page), [
    'group-files-and-configs',
    'data',
    'data-1',
    'from-docker-überall--21',
    'here',
  ]);
});

test('links of each form are found with their lines, none in code', () => {
  const page = [
    '[a](one.md#x) and ![p](two.png "title")',
    '`[no](code.md)`',
    '```',
    '[no](block.md)',
    '```',
    '[r]: three.md',
    '<https://a.example/> <img src="four.png">',
    '[two](#five), [lines](<six.md>)',
  ].join('\n');

  assert.equal(
    linksOf(page)
      .map(({ target, line }) => `${line} ${target}`)
      .sort(),
    ['1 one.md#x', '1 two.png', '6 three.md', '7 four.png', '7 https://a.example/', '8 #five', '8 six.md'],
  );
});

test('pages are found by path and by bare name, not within addresses', () => {
  const text =
    'see docs/one.md, `two.md`\nand ../three.md (https://a.example/four.md, x://five.md, *.md, six.mdx)';

  assert.equal(told(citations.namedPages(text)), ['1 docs/one.md', '1 two.md', '2 ../three.md']);
});

test('decisions are found by their numbers, migrations are none', () => {
  const text =
    '`docs/decisions/0004`\nCONTRIBUTING: docs/decisions/0001, 0099; decision 0016, decisions 0017 and 0018';

  assert.equal(told(citations.namedDecisions(text)), [
    '1 0004',
    '2 0001',
    '2 0099',
    '2 0016',
    '2 0017',
    '2 0018',
  ]);
  assert.equal(
    told(citations.namedDecisionsOfDecision('as (0004) has it\nmigration 0017, mode 0600, 0021.')),
    ['1 0004', '2 0021'],
  );
});

test('files are found in back-quotes, and without by a path of the project', () => {
  const text =
    '`a.ts` and lib/b/c.ts\n`d/e.json`, other/f.ts, ../shared/lib/g.ts, tests/h.test.ts, lib/*.ts, `i`';

  assert.equal(told(citations.namedFiles(text, ['lib', 'tests'])).sort(), [
    '1 a.ts',
    '1 lib/b/c.ts',
    '2 d/e.json',
    '2 tests/h.test.ts',
  ]);
});

test('a heading is what follows the comma behind a page, in the next line, too', () => {
  const text = [
    '/**',
    ' * One (docs/one.md, Error codes), two (docs/two.md,',
    ' * What a config',
    ' * can say), `SECURITY.md`, "Rights"; README.md, SECURITY.md and docs/three.md, which',
    ' */',
  ].join('\n');
  const found = citations.citedHeadings(text);

  assert.equal(
    found.map(({ page, line }) => `${line} ${page}`),
    ['2 docs/one.md', '2 docs/two.md', '4 SECURITY.md'],
  );
  assert.ok(citations.begins(found[0]?.text ?? '', 'Error codes'));
  assert.ok(citations.begins(found[1]?.text ?? '', 'What a config can say'));
  assert.not.ok(citations.begins(found[1]?.text ?? '', 'What a config can sa'));
  assert.ok(citations.begins(found[2]?.text ?? '', 'Rights'));
});

test('a section needs its document beside it', () => {
  const text = [
    '// RFC 9112 section 6.3, RFC 9728 and RFC 8414, section 3',
    '// OpenID Connect Discovery, section 4. As section 5 says.',
    ' * (RFC 8259',
    ' * sections 6 and 7)',
    "test('section 1.4: x')",
  ].join('\n');

  assert.equal(told(citations.sectionsOfNothing(text)), ['2 section 5', '5 section 1.4']);
});

test('marks of lists are found where a name or a comment begins', () => {
  const text = "test('S4: a server')\n/** U10: a group. */\n'rule 4: x', 'P50 1 ms', A1: 5";

  assert.equal(told(citations.marksOfLists(text)), ['1 S4', '2 U10']);
});

test('words are found across the lines of a comment', () => {
  const text = '/**\n * The contract\n * section 4 has it, private.md too.\n */';

  assert.equal(told(citations.occurrences(text, /contract +section|private\.md/g)), [
    '2 contract section',
    '3 private.md',
  ]);
});

test('comments of a source keep their lines, its code is left out', () => {
  const text =
    "const a = 'lib/no.ts'; // lib/yes.ts\nconst url = 'http://x'; /* lib/both.ts\nlib/lines.ts */ call();\n";
  const comments = citations.commentsOf('a.ts', text);

  assert.equal(told(citations.namedFiles(comments, ['lib'])), [
    '1 lib/yes.ts',
    '2 lib/both.ts',
    '3 lib/lines.ts',
  ]);
  assert.is(citations.commentsOf('a.md', text), text);
});

test.run();
