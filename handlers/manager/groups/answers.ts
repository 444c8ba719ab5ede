import { array, boolean, enums, literal, optional, string, type } from 'superstruct';
import { clientNames } from '../../../lib/clients/client-configuration.ts';
import { GroupFile } from '../../../lib/groups/files/group-file.ts';
import { about, type ValueOf } from '../../../lib/json/json-schema.ts';

/** The answers of the manager's group calls, and of those that switch tools (docs/api.md, Tools and Groups). */

export const message = about(string(), 'What was done, in a sentence for a person.');
export const group = about(string(), 'Name of the group.');
export const etag = about(
  string(),
  'The version of the group file, for `If-Match`; the same content has the same one.',
);
export const tools = about(
  array(string()),
  'The group’s full names in its order, those that are missing too.',
);

export const readOnly = optional(
  about(literal(true), 'The file is a link, and managed elsewhere: changes are 409 `group_read_only`.'),
);

export const SwitchedTool = type({
  message,
  group,
  tools,
  enabled: about(boolean(), 'Whether the group has the tool now.'),
  etag,
});
export type SwitchedTool = ValueOf<typeof SwitchedTool>;

export const SavedTools = type({ message, group, tools, etag });
export type SavedTools = ValueOf<typeof SavedTools>;

export const GroupNames = type({
  groups: about(array(string()), 'Sorted names.'),
  default: about(string(), 'The group of `/mcp` and of calls that name none.'),
  gateway_url: about(string(), 'The base of the addresses that agents connect to.'),
});
export type GroupNames = ValueOf<typeof GroupNames>;

export const ReadGroup = type({
  group: GroupFile,
  etag,
  problem: optional(
    about(string(), 'Why the file cannot be used as it is now; its last good version serves.'),
  ),
  read_only: readOnly,
});
export type ReadGroup = ValueOf<typeof ReadGroup>;

export const SavedGroup = type({ message, group: GroupFile, etag });
export type SavedGroup = ValueOf<typeof SavedGroup>;

export const DeletedGroup = type({ message, group });
export type DeletedGroup = ValueOf<typeof DeletedGroup>;

export const GroupToolNames = type({ group, tools, etag });
export type GroupToolNames = ValueOf<typeof GroupToolNames>;

export const GroupClients = type({
  group,
  endpoint: about(string(), 'The address of the group’s MCP endpoint.'),
  needs_token: about(boolean(), 'Agents send `GATEWAY_TOKEN` as a bearer token.'),
  clients: array(
    type({
      id: enums(clientNames),
      label: about(string(), 'The agent’s name for people.'),
      file: optional(about(string(), 'The file for the text; absent: the text is run in a shell.')),
      where: about(string(), 'What to do with the text, in one sentence.'),
      text: string(),
    }),
  ),
});
export type GroupClients = ValueOf<typeof GroupClients>;
