import type { IRequestStrict } from 'itty-router';
import { readChange } from '../../../lib/groups/definitions/definition-change.ts';
import { pathParam, queryParam } from '../../../lib/http/path-params.ts';
import { success } from '../../../lib/http/responses.ts';
import type { ToolsContext } from '../context.ts';

/**
 * `GET /api/tools/{tool}/change`: the definition that was approved for a group and the current one, as the server's own
 * text. An approved one without a text was approved by an older version, was too long to keep, or was seen elsewhere.
 */
export async function getToolChange(request: IRequestStrict, context: ToolsContext): Promise<Response> {
  const group = queryParam(request, 'group') ?? context.service.defaultGroup;
  const tool = pathParam(request, 'tool');
  const { current, accepted } = await readChange(context, group, tool);
  return success({
    group,
    tool,
    current: { definition_hash: current.hash, definition: current.definition },
    approved: accepted && {
      definition_hash: accepted.hash,
      definition: accepted.hash === current.hash ? current.definition : accepted.text,
      approved_at: accepted.approvedAt,
    },
  });
}
