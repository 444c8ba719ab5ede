import type { IRequestStrict } from 'itty-router';
import { boolean, object, optional, type Struct } from 'superstruct';
import { type GroupToolsDeps, setTool, type ToolSwitch } from '../../../lib/groups/group-tools.ts';
import { readJson } from '../../../lib/http/read-body.ts';
import { success } from '../../../lib/http/responses.ts';
import { pathParam, requiredVersion } from '../../../lib/http/route-table.ts';
import { check } from '../../../lib/json/check.ts';
import { about } from '../../../lib/json/json-schema.ts';
import { managerBodyBytes } from '../../../lib/service-info.ts';
import type { SwitchedTool } from './answers.ts';
import { DefinitionHash, GroupName, ToolName } from './request-bodies.ts';

/** The common part of the six calls that switch one tool of a group (docs/api.md, Tools): bodies, work and answer. */

const switched = { tool: ToolName, definition_hash: optional(DefinitionHash) };
const enabled = optional(about(boolean(), 'Whether the group shall have it; absent: the other state.'));
const group = optional(GroupName);

export const SetToolBody = object({ ...switched, group });
export const ToggleBody = object({ ...switched, enabled, group });
export const SetGroupToolBody = object(switched);
export const ToggleGroupToolBody = object({ ...switched, enabled });

type SwitchBody = ToolSwitch & { readonly group?: string | undefined };

/**
 * The group is that of the path, else of the body, else the default group.
 * @param isEnabled Absent: the value in the body.
 */
export async function switchTool(
  request: IRequestStrict,
  context: GroupToolsDeps & { readonly service: { readonly defaultGroup: string } },
  Body: Struct<SwitchBody, unknown>,
  isEnabled?: boolean,
): Promise<Response> {
  const { group: inBody, ...wanted } = check(await readJson(request, managerBodyBytes), Body);
  const isInPath = request.params.name !== undefined;
  const name = isInPath ? pathParam(request, 'name') : (inBody ?? context.service.defaultGroup);
  const toState = isEnabled === undefined ? wanted : { ...wanted, enabled: isEnabled };
  const { group, tools, enabled } = await setTool(context, name, toState, requiredVersion(request.headers));
  const message = enabled
    ? `The tool is now in group \`${name}\`.`
    : `The tool is not in group \`${name}\` any more.`;
  return success<SwitchedTool>({ message, group: name, tools, enabled, etag: group.etag });
}
