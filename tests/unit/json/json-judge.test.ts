import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { JsonJudge } from '../../../lib/json/json-judge.ts';

const test = suite('judge of JSON');

const encoder = new TextEncoder();

interface Told {
  readonly edge: 'start' | 'end';
  readonly at: number;
  readonly key: string;
  readonly inner: string | undefined;
}

/** Feeds the bytes in pieces of these lengths, over and over. */
function judge(bytes: Uint8Array, lengths: readonly number[] = [7], maxDepth = 100, maxTokens = 10_000) {
  const told: Told[] = [];
  let before = 0;
  const one = new JsonJudge({
    maxDepth,
    maxTokens,
    innerOf: 'result',
    onMember: (edge, at, key, inner) => told.push({ edge, at: before + at, key, inner }),
  });
  for (let turn = 0; before < bytes.length; turn++) {
    const piece = bytes.slice(before, before + (lengths[turn % lengths.length] ?? 1));
    one.feed(piece);
    before += piece.length;
  }
  return { isValid: one.end(), excess: one.excess, told, tokens: one.tokens };
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

const cuts = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 8 });
const spaces = fc.constantFrom('', ' ', '\n', '\t\r\n');
const jsonText = fc
  .tuple(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 1, 3), spaces, fc.boolean())
  .map(([value, indent, space, escapes]) => {
    const text = JSON.stringify(value, undefined, indent);
    const escaped = escapes
      ? text.replace(/[a-z]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`)
      : text;
    // Letters may also be of `true` and the like.
    return space + (isJson(encoder.encode(escaped)) ? escaped : text) + space;
  });

test('agrees with JSON.parse on all that is JSON, however its bytes are cut', () => {
  fc.assert(
    fc.property(jsonText, cuts, (text, lengths) => {
      assert.is(judge(encoder.encode(text), lengths).isValid, true, text);
    }),
    { numRuns: 500 },
  );
});

test('agrees with JSON.parse on JSON that was tampered with, and on bytes that are no text', () => {
  const characters = fc.constantFrom(...'{}[]:,"\\ \n\t0123456789.-+eEtrufalsn/bx\0\u00e9漢');
  const change = fc.tuple(fc.nat(), fc.nat(2), characters);
  fc.assert(
    fc.property(
      jsonText,
      fc.array(change, { minLength: 1, maxLength: 4 }),
      cuts,
      (text, changes, lengths) => {
        const changed = changes.reduce((now, [place, removed, added]) => {
          const at = place % (now.length + 1);
          return now.slice(0, at) + added + now.slice(at + removed);
        }, text);
        const bytes = encoder.encode(changed);
        assert.is(judge(bytes, lengths).isValid, isJson(bytes), changed);
      },
    ),
    { numRuns: 3_000 },
  );
  fc.assert(
    fc.property(jsonText, fc.array(fc.tuple(fc.nat(), fc.nat(255))), cuts, (text, changes, lengths) => {
      const bytes = encoder.encode(text);
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
      assert.is(judge(bytes, lengths).isValid, isJson(bytes));
    }),
    { numRuns: 2_000 },
  );
});

test('the grammar at its edges', () => {
  const texts = [
    '0',
    '-0',
    '01',
    '-',
    '1.',
    '.1',
    '1e',
    '1e+',
    '1E-07',
    '1.5e3',
    '+1',
    '--1',
    'tru',
    'true',
    'nulll',
  ];
  texts.push(
    '[1,]',
    '[,1]',
    '{"a":1,}',
    '{,}',
    '{"a"}',
    '{"a":}',
    '{a:1}',
    '[1 2]',
    '1 2',
    '',
    ' ',
    '[',
    ']',
    '}',
  );
  texts.push(
    '"\\u12g4"',
    '"\\u1234"',
    '"\\x"',
    '"\t"',
    '"\x7f"',
    '"',
    '"\\"',
    '\ufeff{}',
    '[}',
    '{]',
    '{"a":[}',
    '{}{}',
  );
  for (const text of texts) {
    const bytes = encoder.encode(text);
    for (const length of [1, 100]) assert.is(judge(bytes, [length]).isValid, isJson(bytes), text);
  }
});

test('says where the outermost members and those of the result stand', () => {
  const text = '{"i\\u0064" : 1 , "result":{"a":{"a":2},"isError":true},"x":{"y":0},"id":"漢"}';
  for (const length of [1, 3, 1_000]) {
    const bytes = encoder.encode(text);
    const { told } = judge(bytes, [length]);
    const values = told
      .filter(({ edge }) => edge === 'start')
      .map(({ at, key, inner }) => {
        const end = told.find(
          (one) => one.edge === 'end' && one.at > at && one.key === key && one.inner === inner,
        );
        return [key, inner, new TextDecoder().decode(bytes.subarray(at, end?.at))];
      });
    assert.equal(values, [
      ['id', undefined, '1'],
      ['result', undefined, '{"a":{"a":2},"isError":true}'],
      ['result', 'a', '{"a":2}'],
      ['result', 'isError', 'true'],
      ['x', undefined, '{"y":0}'],
      ['id', undefined, '"漢"'],
    ]);
  }
});

test('what stands on lines of its own passes as one line', () => {
  const bytes = encoder.encode('{\r\n"a":\n"b\\n"\n}\n');
  new JsonJudge({ maxDepth: 2, maxTokens: 10, onMember() {} }).feed(bytes);

  assert.is(new TextDecoder().decode(bytes), '{  "a": "b\\n" } ');
});

test('as deep as the limit passes, and one level more does not', () => {
  const nested = (depth: number) => encoder.encode('['.repeat(depth) + ']'.repeat(depth));

  assert.equal([judge(nested(5), [3], 5).excess, judge(nested(5), [3], 5).isValid], [undefined, true]);
  assert.is(judge(nested(6), [3], 5).excess, 'depth');
});

test('as many elements as the limit pass, and one more does not', () => {
  const list = (commas: number) =>
    encoder.encode(
      `[${Array(commas + 1)
        .fill('{}')
        .join(',')}]`,
    );
  const { tokens } = judge(list(10));

  assert.is(tokens, 22);
  assert.is(judge(list(10), [3], 5, 22).excess, undefined);
  assert.is(judge(list(10), [3], 5, 21).excess, 'elements');
});

test('the members after what is beyond a limit are found', () => {
  const deep = `${'['.repeat(200)}"]\\"}"${']'.repeat(200)}`;
  const many = `[${'{"a":[1]},'.repeat(2_000)}0]`;
  for (const value of [deep, many]) {
    for (const length of [1, 10_000]) {
      const bytes = encoder.encode(`{"result":${value},"id" : 7}`);
      const { told, excess, isValid } = judge(bytes, [length], 64, 1_000);
      const [id] = told.filter(({ key }) => key === 'id');
      assert.is(new TextDecoder().decode(bytes.subarray(id?.at, -1)), '7');
      assert.ok(excess !== undefined && isValid);
    }
  }
});

test.run();
