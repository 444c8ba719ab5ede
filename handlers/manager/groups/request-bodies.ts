import {
  array,
  boolean,
  nonempty,
  nullable,
  object,
  optional,
  pattern,
  record,
  size,
  string,
} from 'superstruct';

/** Bodies of the manager's group and tool calls (contract section 1); a field that is not here is refused. */

const longestDescription = 8192;

const ToolName = nonempty(string());

/** The definition that the caller saw, by `definition_hash` of `GET /api/tools`. */
const DefinitionHash = pattern(string(), /^[0-9a-f]{64}$/);

const switched = { tool: ToolName, definition_hash: optional(DefinitionHash) };

export const ToggleBody = object({ ...switched, enabled: optional(boolean()), group: optional(string()) });

export const SetToolBody = object({ ...switched, group: optional(string()) });

export const GroupToggleBody = object({ ...switched, enabled: optional(boolean()) });

export const GroupToolBody = object(switched);

/** By tool, of those that a list switches on; of others they say nothing. */
const DefinitionHashes = record(string(), DefinitionHash);

export const ToolListBody = object({
  tools: array(string()),
  definition_hashes: optional(DefinitionHashes),
});

export const ApproveBody = object({ definition_hash: DefinitionHash, group: optional(string()) });

export const ExposeBody = object({ name: optional(nullable(string())), group: optional(string()) });

export const DescribeGroupBody = object({ description: size(string(), 0, longestDescription) });

export const RenameGroupBody = object({ name: string() });

export const CreateGroupBody = object({
  description: optional(size(string(), 0, longestDescription)),
  tools: optional(array(string())),
  definition_hashes: optional(DefinitionHashes),
});
