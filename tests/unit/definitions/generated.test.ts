import * as v2 from '@modelcontextprotocol/core';
import * as v1 from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeFeature } from '../../../lib/definitions/judge-feature.ts';
import { judgeTool } from '../../../lib/definitions/judge-tool.ts';
import { type GeneratedKind, generateDefinitions } from '../../support/generated-definitions.ts';

/**
 * A thousand generated definitions of each kind, every other one lawful, as the official TypeScript clients read lists:
 * with the schemas of versions 1 and 2, and each `outputSchema` compiled in one validator.
 */
const test = suite('generated definitions');

const judgeOf = {
  tools: judgeTool,
  prompts: (definition: string) => judgeFeature('prompts', definition),
  resources: (definition: string) => judgeFeature('resources', definition),
  templates: (definition: string) => judgeFeature('templates', definition),
};

const schemas = {
  tools: [v1.ListToolsResultSchema, v2.ListToolsResultSchema],
  prompts: [v1.ListPromptsResultSchema, v2.ListPromptsResultSchema],
  resources: [v1.ListResourcesResultSchema, v2.ListResourcesResultSchema],
  templates: [v1.ListResourceTemplatesResultSchema, v2.ListResourceTemplatesResultSchema],
};

for (const kind of ['tools', 'prompts', 'resources', 'templates'] as const) {
  test(`lawful ${kind} are shown to the byte, and no other breaks a client`, () => {
    const generated = generateDefinitions(kind, 1_000, 11);
    const shown = generated.flatMap(({ definition, isLawful }) => {
      const judgement = judgeOf[kind](definition);
      if (isLawful) assert.equal(judgement, { shown: definition, problems: [] });
      return judgement.leftOut ? [] : [judgement.shown];
    });

    assert.ok(shown.length > 700, `${shown.length} are shown`);
    assert.equal(
      shown.flatMap((definition) => refusals(kind, definition)),
      [],
    );
    for (const schema of schemas[kind])
      schema.parse({ [memberOf(kind)]: shown.map((one) => JSON.parse(one)) });
  });
}

test('the same seed gives the same definitions', () => {
  assert.equal(generateDefinitions('tools', 50, 3), generateDefinitions('tools', 50, 3));
  assert.not.equal(generateDefinitions('tools', 50, 3), generateDefinitions('tools', 50, 4));
});

const validator = new AjvJsonSchemaValidator();

function refusals(kind: GeneratedKind, definition: string): string[] {
  const value = JSON.parse(definition);
  const refused = schemas[kind].flatMap((schema) => {
    const { error } = schema.safeParse({ [memberOf(kind)]: [value] });
    return error ? [`${error.message} ${definition}`] : [];
  });
  if (kind === 'tools' && value.outputSchema) {
    try {
      validator.getValidator(value.outputSchema);
    } catch (error) {
      refused.push(`${error} ${JSON.stringify(value.outputSchema)}`);
    }
  }
  return refused;
}

function memberOf(kind: GeneratedKind): string {
  return kind === 'templates' ? 'resourceTemplates' : kind;
}

test.run();
