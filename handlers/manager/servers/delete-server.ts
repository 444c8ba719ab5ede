import type { IRequestStrict } from 'itty-router';
import { success } from '../../../lib/http/responses.ts';
import { pathParam } from '../../../lib/http/route-table.ts';
import { affectedGroups, forgetServer } from '../../../lib/registry/removal/affected-groups.ts';
import type { ManagerContext } from '../context.ts';
import type { DeletedServer } from './answers.ts';
import { flagParam } from './query-params.ts';

/**
 * `DELETE /api/servers/{name}`: deregisters it; with `?forget_tools=true` its names are removed from the groups too.
 */
export async function deleteServer(
  request: IRequestStrict,
  context: Pick<ManagerContext, 'groups' | 'registry' | 'log'>,
): Promise<Response> {
  const name = pathParam(request, 'name');
  const forgetsTools = flagParam(request, 'forget_tools');
  const affected = affectedGroups(context.groups, name);
  const { removed, kept, warnings } = await context.registry.deregister(name);
  if (forgetsTools) await forgetServer(context.groups, affected, name, context.log);
  return success<DeletedServer>({
    message: `Server ${name} is removed.`,
    name,
    affected_groups: affected,
    removed,
    kept: kept.map(({ type, source, path }) => ({ type, source, path })),
    warnings: warnings.length > 0 ? warnings : undefined,
  });
}
