import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toReference } from '../../../lib/config/references.ts';
import { editSecretFile, parseSecretFile } from '../../../lib/secrets/secret-file.ts';

const test = suite('the text of a secrets file');

const read = (text: string) => Object.fromEntries(parseSecretFile(text));
const anyName = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,20}$/);
const anyValue = fc.string({ unit: 'binary', maxLength: 60 });

test('reads bare, single and double quoted values', () => {
  assert.equal(read('A=plain\nB=\'single $x #no\'\nC="double\\n\\"q\\" \\$"\n'), {
    A: 'plain',
    B: 'single $x #no',
    C: 'double\n"q" $',
  });
});

test('reads what other tools write: export, blanks, comments, CRLF, no line break at the end', () => {
  assert.equal(read('\uFEFFexport A=1\r\n\r\n # note\r\nB = two words # note\r\nC=a#b\r\nD=\r\nE=last'), {
    A: '1',
    B: 'two words',
    C: 'a#b',
    D: '',
    E: 'last',
  });
});

test('a quoted value may span lines', () => {
  assert.equal(read("KEY='-----BEGIN\nabc\n-----END'\nB=1\n"), { KEY: '-----BEGIN\nabc\n-----END', B: '1' });
});

test('a quote that is never closed spoils its own line only', () => {
  assert.equal(read('A="open\nB=2\n'), { A: '"open', B: '2' });
});

test('of a name that stands twice the last one counts', () => {
  assert.equal(read('A=1\nA=2\n'), { A: '2' });
});

test('lines that are no assignments are no secrets', () => {
  assert.equal(read('just text\n=x\n1A=2\nA-B=3\n'), {});
});

test('dollar signs are not expanded', () => {
  assert.equal(read(`A=$HOME/${toReference('B')}\n`), { A: `$HOME/${toReference('B')}` });
});

test('an edit keeps comments, order and foreign lines byte for byte', () => {
  const before = '# mine\n\nA=1   # why\r\nodd line\nB="2"\n';

  const after = editSecretFile(before, {
    set: new Map([
      ['B', 'new'],
      ['C', 'added'],
    ]),
  });

  assert.is(after, '# mine\n\nA=1   # why\r\nodd line\nB=new\nC=added\n');
});

test('a removal takes every line of the name and nothing else', () => {
  assert.is(editSecretFile("# a\nA=1\nB='x\ny'\nA=2\n", { remove: ['A'] }), "# a\nB='x\ny'\n");
  assert.is(editSecretFile('A=1\n', { remove: ['NOT_THERE'] }), 'A=1\n');
});

test('a name that stands twice stands once after it was set', () => {
  assert.is(editSecretFile('A=1\nB=2\nA=3\n', { set: new Map([['A', '4']]) }), 'B=2\nA=4\n');
});

test('a name is added on a line of its own when the last line has no end', () => {
  assert.is(editSecretFile('A=1', { set: new Map([['B', '2']]) }), 'A=1\nB=2\n');
});

test('any value reads back as it was written', () => {
  fc.assert(
    fc.property(anyName, anyValue, (name, value) => {
      const text = editSecretFile('# kept\nOTHER__=1\n', { set: new Map([[name, value]]) });
      assert.is(parseSecretFile(text).get(name), value);
      assert.ok(text.startsWith('# kept\nOTHER__='));
    }),
    { numRuns: 500 },
  );
});

test('an edit of one name never changes another', () => {
  fc.assert(
    fc.property(
      fc.dictionary(anyName, anyValue, { noNullPrototype: true }),
      anyName,
      anyValue,
      (others, name, value) => {
        const before = editSecretFile('', { set: new Map(Object.entries(others)) });
        const after = parseSecretFile(editSecretFile(before, { set: new Map([[name, value]]) }));
        assert.equal(after, new Map([...Object.entries(others), [name, value]]));
      },
    ),
    { numRuns: 200 },
  );
});

test('any text at all can be read, and an edit loses none of its assignments', () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom('A=1', 'B="', "C='", '"', "'", 'export D=x', 'E="a\\', '\r'),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const text = lines.join('\n');
      const before = parseSecretFile(text);
      const after = parseSecretFile(editSecretFile(text, { set: new Map([['NEW_ONE', 'v']]) }));
      assert.equal(after, new Map([...before, ['NEW_ONE', 'v']]));
    }),
    { numRuns: 500 },
  );
});

test.run();
