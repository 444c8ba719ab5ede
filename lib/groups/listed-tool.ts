import { boolean, enums, integer, literal, optional, string, type, unknown } from 'superstruct';
import { about, mapOf, named, type ValueOf } from '../json/json-schema.ts';

/** A tool in all answers of the manager API (docs/api.md, Records). */
export const toolStructs = {
  name: about(string(), 'Full name, `{server}__{tool}`.'),
  description: string(),
  title: optional(about(string(), 'The name for people, where the server gives one.')),
  annotations: optional(about(mapOf(string(), unknown()), 'Hints of the server, as MCP has them.')),
  input_schema: about(mapOf(string(), unknown()), 'JSON Schema of the arguments.'),
};

export const ToolFields = named('Tool', type(toolStructs));
export type ToolFields = ValueOf<typeof ToolFields>;

/** A tool as `GET /api/tools` has it, with its state in one group. */
export const ListedGroupTool = named(
  'GroupTool',
  type({
    ...toolStructs,
    enabled: about(boolean(), 'The group has it.'),
    state: about(
      enums(['present', 'new', 'changed', 'missing']),
      '`new`: first listed after the group file was last written. `changed`: its definition is not the one that was approved for the group. `missing`: the group names it, and its server does not offer it now.',
    ),
    definition_hash: optional(
      about(string(), 'SHA-256 (hex) of the server’s own definition; absent for a missing tool.'),
    ),
    approved_hash: optional(about(string(), 'Of a changed tool: the hash of the approved definition.')),
    exposed_name: optional(about(string(), 'The name that agents see, unless it is the full name.')),
    problem: optional(about(string(), 'Of a missing tool that its server lists: why agents do not get it.')),
    name_problem: optional(
      about(string(), 'Why some model provider or client refuses the name that agents see.'),
    ),
    name_too_long: optional(about(literal(true), 'Its length is all that is wrong with the name.')),
    suggested_name: optional(about(string(), 'A name for `POST /api/tools/{tool}/expose`.')),
    token_estimate: about(integer(), 'Tokens of the definition, estimated at four characters each.'),
  }),
);
export type ListedGroupTool = ValueOf<typeof ListedGroupTool>;
