import { array, nonempty, nullable, object, optional, pattern, size, string } from 'superstruct';
import { about, described, mapOf } from '../../../lib/json/json-schema.ts';
import { groupNamePattern, longestGroupName } from '../../../lib/names/names.ts';
import { providerNamePattern } from '../../../lib/names/provider-names.ts';

/** Bodies of the manager's group and tool calls (docs/api.md, Tools and Groups); other fields are refused. */

const longestDescription = 8192;

export const ToolName = described(nonempty(string()), { minLength: 1, description: 'Full name of a tool.' });

const hash = /^[0-9a-f]{64}$/;

export const DefinitionHash = described(pattern(string(), hash), {
  pattern: hash.source,
  description: 'The definition that the caller saw: `definition_hash` of `GET /api/tools`.',
});

const DefinitionHashes = about(
  mapOf(string(), DefinitionHash),
  'By tool, for those that the list switches on: the definition that the caller saw. Absent: the current one.',
);

export const GroupName = about(string(), 'Name of a group; absent: the default group.');

export const NewGroupName = described(string(), {
  ...{ minLength: 1, maxLength: longestGroupName, pattern: groupNamePattern.source },
  description:
    'The new name: at most 64 letters, digits, `.`, `_` or `-`, of which a letter or digit is the first, without `..`.',
});

const Description = described(size(string(), 0, longestDescription), { maxLength: longestDescription });

const ToolNames = about(array(string()), 'The whole list of full names, in the order that agents get.');

export const ToolListBody = object({ tools: ToolNames, definition_hashes: optional(DefinitionHashes) });

export const ApproveBody = object({ definition_hash: DefinitionHash, group: optional(GroupName) });

export const ExposeBody = object({
  name: optional(
    described(nullable(string()), {
      pattern: providerNamePattern.source,
      description: 'Absent: the suggested name. `null`: the full name again.',
    }),
  ),
  group: optional(GroupName),
});

export const DescribeGroupBody = object({ description: Description });

export const RenameGroupBody = object({ name: NewGroupName });

export const CreateGroupBody = object({
  description: optional(Description),
  tools: optional(ToolNames),
  definition_hashes: optional(DefinitionHashes),
});
