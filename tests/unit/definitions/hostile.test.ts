import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeTool } from '../../../lib/definitions/judge-tool.ts';

/** Definitions that are made to cost much, or to be two things at once. What is quadratic in them takes minutes. */
const test = suite('hostile definitions');

const schema = '"inputSchema":{"type":"object"}';
const withOutput = (members: string) => `{"name":"x",${schema},"outputSchema":{"type":"object",${members}}}`;
const many = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join();

function judge(definition: string) {
  const judgement = judgeTool(definition);
  return { shown: judgement.leftOut ? undefined : judgement.shown, problems: judgement.problems };
}

/** What becomes of the schema; undefined: it stays. */
function whyWithout(members: string): string | undefined {
  const definition = withOutput(members);
  const { shown, problems } = judge(definition);
  if (shown === definition) return problems[0];
  assert.is(shown, `{"name":"x",${schema}}`);
  return problems[0]?.replace(/^The tool "x": its outputSchema (.*) and was left out\.$/, '$1');
}

test('nesting of ten thousand levels is left out', () => {
  for (const level of ['[', '{"a":']) {
    const deep =
      level.repeat(10_000) + (level === '[' ? '' : '0') + (level === '[' ? ']' : '}').repeat(10_000);
    assert.equal(judge(`{"name":"x",${schema},"x":${deep}}`), {
      shown: undefined,
      problems: ['The tool "x" was left out: its definition nests too deep.'],
    });
  }
});

test('references that are many, long, circular or elsewhere are followed in time, and left out', () => {
  const chain = (count: number) =>
    `"$defs":{${many(count, (at) => `"d${at}":{"$ref":"#/$defs/d${at + 1}"}`)},"d${count}":{}},"properties":{"a":{"$ref":"#/$defs/d0"}}`;
  const circle =
    '"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"properties":{"a":{"$ref":"#/$defs/a"}}';
  const wide = `"$defs":{"a":{"anyOf":[${many(2_000, () => '{}')}]}},"anyOf":[${many(20_000, () => '{"$ref":"#/$defs/a"}')}]`;

  assert.is(whyWithout(chain(20_000)), 'nests too deep');
  assert.is(whyWithout(chain(50)), undefined);
  assert.is(whyWithout(circle), 'has references that lead to one another');
  assert.is(whyWithout(wide), 'refers to its parts too often');
  assert.match(whyWithout('"properties":{"a":{"$ref":"#/__proto__"}}') ?? '', 'which is not in it');
  assert.match(whyWithout('"properties":{"a":{"$ref":"http://192.0.2.1/x"}}') ?? '', 'which is not in it');
  assert.is(whyWithout('"properties":{"a":{"$ref":"#"},"b":{"$ref":"#/properties/a"}}'), undefined);
});

test('ids that clients would mix up are left out', () => {
  assert.is(whyWithout('"$id":"constructor"'), 'has an `$id` that clients cannot read');
  assert.is(whyWithout('"$id":"https://example.com/x"'), undefined);
  const inner = '"properties":{"a":{"$id":"https://example.com/x"}}';
  assert.is(whyWithout(inner), 'holds a schema with an `$id` of its own');
});

test('an `$id` within that is no text is left out, a property of that name is not', () => {
  assert.is(whyWithout('"properties":{"a":{"$id":{"b":1}}}'), 'has a `$id` that is none');
  assert.is(whyWithout('"properties":{"$id":{"type":"string"}}'), undefined);
});

test('bounds of a format that has no order are left out', () => {
  const bounded = (members: string) => whyWithout(`"properties":{"a":{${members}}}`);

  assert.is(bounded('"format":"date","formatMinimum":"2026-01-01"'), undefined);
  assert.is(bounded('"format":"email","formatMinimum":"a"'), 'has a `formatMinimum` that is none');
  assert.is(bounded('"formatMaximum":"2026-01-01"'), 'has a `formatMaximum` that is none');
  assert.is(
    bounded('"format":"date","formatExclusiveMaximum":5'),
    'has a `formatExclusiveMaximum` that is none',
  );
});

test('patterns are read and never run', () => {
  const slow =
    '"pattern":"^(a+)+$","default":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"';
  assert.is(whyWithout(`"properties":{"a":{${slow}}}`), undefined);
  assert.is(whyWithout('"properties":{"a":{"pattern":"(?P<a>b)"}}'), 'has a `pattern` that is none');
});

test('a million properties of characters in a pattern are each read once', () => {
  const pattern = (text: string) => whyWithout(`"properties":{"a":{"pattern":${JSON.stringify(text)}}}`);
  const bad = 'has a `pattern` that is none';

  assert.is(pattern(String.raw`[^\p{L}\P{N}]\p{Script=Greek}`.repeat(80_000)), undefined);
  assert.is(pattern(String.raw`\p{L}`.repeat(500_000) + String.raw`\p{Nothing}`), bad);
  assert.is(pattern(Array.from({ length: 300_000 }, (_, at) => `\\p{a${at}}`).join('')), bad);
  for (const none of [
    String.raw`\p`,
    String.raw`\p{}`,
    String.raw`\\p{L}`,
    String.raw`[\p{L}-z]`,
    String.raw`(\p{L}`,
  ]) {
    assert.is(pattern(none), bad, none);
  }
});

test('keys of any length and with anything in them make short sentences', () => {
  const key = `\\u001b]0;\\u202e\\n${'a'.repeat(100_000)}`;
  const { problems } = judge(`{"name":"x","inputSchema":{"type":"object","properties":{"${key}":1}}}`);
  assert.match(
    problems[0] ?? '',
    /^The tool "x": its inputSchema\.properties\.\\u\{1b\}\]0;\\u\{202e\}\\u\{a\}a+… is a number, not a schema/,
  );
});

test('a member `__proto__` is one like any other', () => {
  const own = `{"name":"x","__proto__":{"description":5,"inputSchema":1},${schema}}`;
  assert.equal(judge(own), { shown: own, problems: [] });
  assert.match(
    judge('{"name":"x","__proto__":{"inputSchema":{"type":"object"}}}').problems[0] ?? '',
    'is missing',
  );
});

test('of doubled members the last one counts, as for everybody who reads them', () => {
  const twice = (one: string, other: string) =>
    judge(`{"name":"x","inputSchema":${one},"inputSchema":${other}}`);

  assert.equal(twice('null', '{"type":"object"}').problems, []);
  assert.is(twice('{"type":"object"}', '5').shown, undefined);
  const dropped = `{"name":"x",${many(50_000, () => '"description":"a"')},"description":null,${schema}}`;
  assert.is(judge(dropped).shown, `{"name":"x",${schema}}`);
});

test('text that parsers of clients refuse is mended where it stands, and nowhere else', () => {
  const odd = String.raw`{"name":"x","a":"\\ud800 \ud800 \ud83d\ude00 1e999","b":[-1e999,${'9'.repeat(400)},1e30],`;
  const fine = String.raw`{"name":"x","a":"\\ud800 \ufffd \ud83d\ude00 1e999","b":[-1.7976931348623157e308,1.7976931348623157e308,1e30],`;
  assert.is(judge(`${odd}${schema}}`).shown, `${fine}${schema}}`);
});

test('very many faults of one definition are told of in a few sentences', () => {
  const { problems } = judge(`{"name":"x",${schema},"icons":[${many(20_000, () => '{}')}]}`);
  assert.is(problems.length, 6);
  assert.is(problems[5], 'The tool "x" has 19995 more such faults.');
});

test.run();
