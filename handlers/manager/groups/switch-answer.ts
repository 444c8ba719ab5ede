import { type GroupToolsDeps, setTool, type ToolSwitch } from '../../../lib/groups/group-tools.ts';
import { success } from '../../../lib/http/responses.ts';

/** What every call that switches one tool answers (contract section 1). */
export async function switchAnswer(
  deps: GroupToolsDeps,
  group: string,
  wanted: ToolSwitch,
): Promise<Response> {
  const { tools, enabled } = await setTool(deps, group, wanted);
  const message = enabled
    ? `The tool is now in group \`${group}\`.`
    : `The tool is not in group \`${group}\` any more.`;
  return success({ message, group, tools, enabled });
}
