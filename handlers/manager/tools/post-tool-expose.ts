import type { IRequestStrict } from 'itty-router';
import { type ExposedTool, exposeTool as expose } from '../../../lib/groups/names/expose-tool.ts';
import { readOptionalJson } from '../../../lib/http/read-body.ts';
import { success } from '../../../lib/http/responses.ts';
import { pathParam, requiredVersion } from '../../../lib/http/route-table.ts';
import { check } from '../../../lib/json/check.ts';
import { managerBodyBytes } from '../../../lib/service-info.ts';
import type { ToolsContext } from '../context.ts';
import { ExposeBody } from '../groups/request-bodies.ts';
import type { RenamedTool } from './answers.ts';

/**
 * `POST /api/tools/{tool}/expose`: gives a tool the suggested name for the agents of a group, or `name`, or with `null` its
 * full name again; on condition of `If-Match` when that is sent.
 */
export async function postToolExpose(request: IRequestStrict, context: ToolsContext): Promise<Response> {
  const body = check(await readOptionalJson(request, managerBodyBytes), ExposeBody);
  const group = body.group ?? context.service.defaultGroup;
  const tool = pathParam(request, 'tool');
  const wanted = { tool, name: body.name };
  const exposed = await expose(context, group, wanted, requiredVersion(request.headers));
  const { tools, enabled, exposedName } = exposed;
  return success<RenamedTool>({
    message: messageOf(group, exposed),
    group,
    tools,
    enabled,
    tool,
    exposed_name: exposedName,
    etag: exposed.group.etag,
  });
}

function messageOf(group: string, { enabled, exposedName }: ExposedTool): string {
  const name = exposedName === undefined ? 'by its full name' : `as \`${exposedName}\``;
  return enabled
    ? `Agents of group \`${group}\` see the tool ${name}.`
    : `The tool is not in group \`${group}\`; once it is, agents see it ${name}.`;
}
