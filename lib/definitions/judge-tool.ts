import { quotedName } from '../catalog/shown-names.ts';
import { memberText } from '../mcp/raw-json.ts';
import { type Judgement, leftOut, shownWith } from './judgement.ts';
import { withMember } from './raw-edits.ts';
import {
  anyObject,
  boolean,
  type Faults,
  listOf,
  mended,
  objectOf,
  oneOf,
  type Rule,
  string,
} from './rules.ts';
import { inputSchema, outputSchema } from './tool-schemas.ts';

/** Revision 2025-11-25, schema.ts: Icon. */
export const icons: Rule = listOf(
  objectOf({
    required: { src: string },
    optional: { mimeType: string, sizes: listOf(string), theme: oneOf('light', 'dark') },
  }),
);

/** Revision 2025-11-25, schema.ts: Tool, but for its name, without which a tool is not listed at all. */
const tool = objectOf({
  optional: {
    inputSchema,
    title: string,
    description: string,
    icons,
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
});

/** @param definition Raw JSON text of an object with a name. */
export function judgeTool(definition: string): Judgement {
  const value = JSON.parse(definition) as Record<string, unknown>;
  if (Object.hasOwn(value, 'inputSchema') && tool.accepts(value)) return { shown: definition, problems: [] };
  const what = `The tool ${quotedName(String(value.name))}`;
  const faults: Faults = [];
  const whole = withInputSchema(definition, faults);
  const schema = memberText(whole, 'inputSchema') ?? '';
  if (mended(inputSchema, schema, '', []) === undefined) {
    return leftOut(what, `inputSchema ${inputSchema.why(JSON.parse(schema))}`);
  }
  const shown = tool.mend?.(whole, '', faults) ?? whole;
  return shownWith(shown, what, faults);
}

function withInputSchema(definition: string, faults: Faults): string {
  if (memberText(definition, 'inputSchema') !== undefined) return definition;
  faults.push('inputSchema is missing and is shown as {"type":"object"}');
  return withMember(definition, 'inputSchema', '{"type":"object"}');
}
