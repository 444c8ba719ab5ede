import { type Judgement, judge, type Kind } from './judgement.ts';
import { withMember } from './raw-edits.ts';
import { anyObject, boolean, icons, objectOf, oneOf, string } from './rules.ts';
import { inputSchema, mayBeInputSchema, outputSchema } from './tool-schemas.ts';

/** Revision 2025-11-25, schema.ts: Tool. */
const tool: Kind = {
  name: 'tool',
  key: 'name',
  rule: objectOf({
    optional: {
      title: string,
      description: string,
      icons,
      inputSchema,
      outputSchema,
      annotations: objectOf({
        optional: {
          title: string,
          readOnlyHint: boolean,
          destructiveHint: boolean,
          idempotentHint: boolean,
          openWorldHint: boolean,
        },
      }),
      execution: objectOf({ optional: { taskSupport: oneOf('forbidden', 'optional', 'required') } }),
      _meta: anyObject,
    },
  }),
  refuse: ({ inputSchema: given = null }) =>
    mayBeInputSchema(given) ? undefined : `inputSchema ${inputSchema.why(given)}`,
  complete(definition, value, faults) {
    if (Object.hasOwn(value, 'inputSchema')) return definition;
    faults.push('inputSchema is missing and is shown as {"type":"object"}');
    return withMember(definition, 'inputSchema', '{"type":"object"}');
  },
};

/** @param definition Raw JSON text of an object with a name. */
export function judgeTool(definition: string): Judgement {
  return judge(tool, definition);
}
