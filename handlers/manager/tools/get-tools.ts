import type { IRequestStrict } from 'itty-router';
import { toolListing } from '../../../lib/groups/tool-listing.ts';
import { success } from '../../../lib/http/responses.ts';
import { queryParam } from '../../../lib/http/route-table.ts';
import type { ToolsContext } from '../context.ts';
import type { AllTools } from './answers.ts';

/** `GET /api/tools`: all tools, grouped by server, with their state in a group. */
export function getTools(request: IRequestStrict, context: ToolsContext): Response {
  const group = queryParam(request, 'group') ?? context.service.defaultGroup;
  return success<AllTools>({ group, servers: Object.fromEntries(toolListing(context, group)) });
}
