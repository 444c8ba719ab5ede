import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeTool } from '../../../lib/definitions/judge-tool.ts';

const test = suite('judging tools');

const schema = '"inputSchema":{"type":"object"}';

/** What becomes of a tool `x` with these members besides its name. */
function judge(members: string) {
  return judgeTool(`{"name":"x",${members}}`);
}

function shown(members: string): string | undefined {
  const text = judge(members).leftOut ? undefined : (judge(members) as { shown: string }).shown;
  return text?.slice('{"name":"x",'.length, -1);
}

test('a lawful definition is shown as the very same string, whatever else stands in it', () => {
  const lawful = `{ "name":"x" , "big":12345678901234567890, "n":1.0,"description":"\\u0041",${schema},"own":null}`;

  assert.equal(judgeTool(lawful), { shown: lawful, problems: [] });
});

const repaired: readonly (readonly [string, string, ...string[]])[] = [
  ['"inputSchema":null', schema, 'inputSchema is null and is shown as {"type":"object"}'],
  ['"inputSchema":[]', schema, 'inputSchema is a list and is shown as {"type":"object"}'],
  [
    '"inputSchema": {"properties":{"a":{}}}',
    '"inputSchema": {"type":"object","properties":{"a":{}}}',
    'inputSchema has no type and is shown with the type "object"',
  ],
  [
    '"inputSchema":{"type":["object","null"],"x":1}',
    '"inputSchema":{"type":"object","x":1}',
    'inputSchema has more than one type and is shown with the type "object"',
  ],
  [
    '"inputSchema":{"type":"object","properties":[]}',
    '"inputSchema":{"type":"object","properties":{}}',
    'inputSchema.properties is a list and is shown as {}',
  ],
  [`${schema},"annotations":null`, schema, 'annotations is null and was left out'],
  [`"description" : null, ${schema}`, ` ${schema}`, 'description is null and was left out'],
  [`${schema},"outputSchema":null,"z":1`, `${schema},"z":1`, 'outputSchema is null and was left out'],
  [
    `${schema},"outputSchema":{"type":"string"}`,
    schema,
    'outputSchema is not of type object and was left out',
  ],
  [
    `${schema},"outputSchema":{"$ref":"#/$defs/a","$defs":{"a":{"type":"object"}}}`,
    schema,
    'outputSchema is not of type object and was left out',
  ],
  [
    `${schema},"icons":[{"mimeType":"image/png"}, {"src":"https://x/y.png"}]`,
    `${schema},"icons":[ {"src":"https://x/y.png"}]`,
    'icons[0] has no src and was left out',
  ],
  [
    '"inputSchema":{"type":"object","properties":{"a":true,"b":false,"c": true}}',
    '"inputSchema":{"type":"object","properties":{"a":{},"b":{"not":{}},"c": {}}}',
  ],
  [
    '"inputSchema":{"type":"object","properties":{"a":"string"},"required":["a",1]}',
    '"inputSchema":{"type":"object","properties":{"a":{}},"required":["a"]}',
    'inputSchema.properties.a is a string, not a schema and is shown as {}',
    'inputSchema.required[1] is a number, not a string and was left out',
  ],
  [
    `${schema},"annotations":{"title":5,"readOnlyHint":true,"destructiveHint":"no"},"_meta":[],"execution":{"taskSupport":"x"}`,
    `${schema},"annotations":{"readOnlyHint":true},"execution":{}`,
    'annotations.title is a number, not a string and was left out',
    'annotations.destructiveHint is a string, not true or false and was left out',
    '_meta is a list, not an object and was left out',
    'execution.taskSupport is none of "forbidden", "optional", "required" and was left out',
  ],
  [`"description":"a","description":null,${schema}`, schema, 'description is null and was left out'],
];

for (const [members, better, ...faults] of repaired) {
  test(`${members} is shown as ${better}`, () => {
    assert.is(shown(members), better);
    assert.equal(
      judge(members).problems,
      faults.map((fault) => `The tool "x": its ${fault}.`),
    );
  });
}

test('a tool without an inputSchema gets one', () => {
  assert.equal(judgeTool('{"name":"x"}'), {
    shown: '{"inputSchema":{"type":"object"},"name":"x"}',
    problems: ['The tool "x": its inputSchema is missing and is shown as {"type":"object"}.'],
  });
});

const leftOut = [
  ['{"type":"string"}', 'is of type "string", not "object"'],
  ['{"type":["string","null"]}', 'is of type ["string","null"], not "object"'],
  ['"object"', 'is a string, not a schema'],
  ['[1]', 'is a list, not a schema'],
  ['false', 'is false, not a schema'],
] as const;

for (const [text, why] of leftOut) {
  test(`a tool whose inputSchema is ${text} is left out`, () => {
    assert.equal(judge(`"inputSchema":${text}`), {
      leftOut: true,
      problems: [`The tool "x" was left out: its inputSchema ${why}.`],
    });
  });
}

test.run();
