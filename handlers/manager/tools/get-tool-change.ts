import type { IRequestStrict } from 'itty-router';
import { readChange } from '../../../lib/groups/definitions/definition-change.ts';
import { success } from '../../../lib/http/responses.ts';
import { pathParam, queryParam } from '../../../lib/http/route-table.ts';
import type { ToolsContext } from '../context.ts';
import type { ToolChange } from './answers.ts';

/**
 * `GET /api/tools/{tool}/change`: the definition that was approved for a group and the current one, as the server's own
 * text. The approved text is missing when an older version approved it, or another process with another list, or when
 * it was too long to be stored.
 */
export async function getToolChange(request: IRequestStrict, context: ToolsContext): Promise<Response> {
  const group = queryParam(request, 'group') ?? context.service.defaultGroup;
  const tool = pathParam(request, 'tool');
  const { current, approved } = await readChange(context, group, tool);
  return success<ToolChange>({
    group,
    tool,
    current: { definition_hash: current.hash, definition: current.definition },
    approved: approved && {
      definition_hash: approved.hash,
      definition: approved.hash === current.hash ? current.definition : approved.text,
      approved_at: approved.approvedAt.toISOString(),
    },
  });
}
