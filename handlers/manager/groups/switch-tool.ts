import type { IRequestStrict } from 'itty-router';
import { boolean, object, optional, type Struct, string } from 'superstruct';
import { type GroupToolsDeps, setTool, type ToolSwitch } from '../../../lib/groups/group-tools.ts';
import { readJson } from '../../../lib/http/read-body.ts';
import { success } from '../../../lib/http/responses.ts';
import { pathParam } from '../../../lib/http/route-table.ts';
import { check } from '../../../lib/json/check.ts';
import { managerBodyBytes } from '../../../lib/service-info.ts';
import { DefinitionHash, ToolName } from './request-bodies.ts';

/** The common part of the six calls that switch one tool of a group (contract section 1): bodies, work and answer. */

const switched = { tool: ToolName, definition_hash: optional(DefinitionHash) };

export const SetToolBody = object({ ...switched, group: optional(string()) });
export const ToggleBody = object({ ...switched, enabled: optional(boolean()), group: optional(string()) });
export const SetGroupToolBody = object(switched);
export const ToggleGroupToolBody = object({ ...switched, enabled: optional(boolean()) });

type SwitchBody = ToolSwitch & { readonly group?: string | undefined };

/**
 * The group is that of the path, else of the body, else the default group.
 * @param enabled Absent: the value in the body.
 */
export async function switchTool(
  request: IRequestStrict,
  context: GroupToolsDeps & { readonly service: { readonly defaultGroup: string } },
  Body: Struct<SwitchBody, unknown>,
  enabled?: boolean,
): Promise<Response> {
  const { group: inBody, ...wanted } = check(await readJson(request, managerBodyBytes), Body);
  const isInPath = request.params.name !== undefined;
  const group = isInPath ? pathParam(request, 'name') : (inBody ?? context.service.defaultGroup);
  const after = await setTool(context, group, enabled === undefined ? wanted : { ...wanted, enabled });
  const message = after.enabled
    ? `The tool is now in group \`${group}\`.`
    : `The tool is not in group \`${group}\` any more.`;
  return success({ message, group, tools: after.tools, enabled: after.enabled });
}
