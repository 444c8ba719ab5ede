import { array, boolean, nonempty, object, optional, size, string } from 'superstruct';

/** Bodies of the manager's group and tool calls (contract section 1); a field that is not here is refused. */

const longestDescription = 8192;

const ToolName = nonempty(string());

export const ToggleBody = object({
  tool: ToolName,
  enabled: optional(boolean()),
  group: optional(string()),
});

export const SetToolBody = object({ tool: ToolName, group: optional(string()) });

export const GroupToggleBody = object({ tool: ToolName, enabled: optional(boolean()) });

export const GroupToolBody = object({ tool: ToolName });

export const ToolListBody = object({ tools: array(string()) });

export const DescribeGroupBody = object({ description: size(string(), 0, longestDescription) });

export const CreateGroupBody = object({
  description: optional(size(string(), 0, longestDescription)),
  tools: optional(array(string())),
});
