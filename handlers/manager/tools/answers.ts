import { array, boolean, integer, optional, string, type, unknown } from 'superstruct';
import { ListedGroupTool } from '../../../lib/groups/listed-tool.ts';
import { about, mapOf, type ValueOf } from '../../../lib/json/json-schema.ts';
import { etag, group, message, readOnly, tools } from '../groups/answers.ts';

/** The answers of the manager's tool calls (docs/api.md, Tools). */

const tool = about(string(), 'Full name of the tool.');
const hash = about(string(), 'SHA-256 (hex) of the server’s own definition.');

export const AllTools = type({
  group,
  servers: about(mapOf(string(), array(ListedGroupTool)), 'Tools by name of their server.'),
});
export type AllTools = ValueOf<typeof AllTools>;

export const CurrentGroup = type({
  group,
  tools,
  description: string(),
  etag: optional(etag),
  problem: optional(
    about(string(), 'Why the file cannot be used as it is now; its last good version serves.'),
  ),
  read_only: readOnly,
  warnings: optional(
    about(array(string()), 'What is wrong with the folder of configs, or with the group’s resources.'),
  ),
});
export type CurrentGroup = ValueOf<typeof CurrentGroup>;

export const ToolChange = type({
  group,
  tool,
  current: type({ definition_hash: hash, definition: about(string(), 'JSON text, as the server lists it.') }),
  approved: optional(
    type({
      definition_hash: hash,
      definition: optional(
        about(string(), 'JSON text; absent where only the hash of the approved definition is known.'),
      ),
      approved_at: about(string(), 'Time (ISO 8601).'),
    }),
  ),
});
export type ToolChange = ValueOf<typeof ToolChange>;

export const ApprovedTool = type({ message, group, tool, definition_hash: hash });
export type ApprovedTool = ValueOf<typeof ApprovedTool>;

export const RenamedTool = type({
  message,
  group,
  tools,
  enabled: about(boolean(), 'Whether the group has the tool.'),
  tool,
  exposed_name: optional(about(string(), 'The name that agents see; absent: the full name.')),
  etag,
});
export type RenamedTool = ValueOf<typeof RenamedTool>;

export const TriedTool = type({
  message,
  tool,
  server: string(),
  group: optional(group),
  enabled: optional(about(boolean(), 'Whether the group has the tool.')),
  state: optional(about(string(), 'As in `GET /api/tools`.')),
  tried: boolean(),
  milliseconds: about(integer(), 'How long the server took.'),
  warnings: optional(array(string())),
  result: about(
    mapOf(string(), unknown()),
    'The `CallToolResult` that an agent would get, `isError` and all.',
  ),
});
