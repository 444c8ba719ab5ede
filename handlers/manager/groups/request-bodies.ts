import { array, nonempty, nullable, object, optional, pattern, record, size, string } from 'superstruct';

/** Bodies of the manager's group and tool calls (contract section 1); other fields are refused. */

const longestDescription = 8192;

export const ToolName = nonempty(string());

/** The hash of the definition that the caller saw: `definition_hash` of `GET /api/tools`. */
export const DefinitionHash = pattern(string(), /^[0-9a-f]{64}$/);

/** By tool; used for those that the list switches on. */
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
