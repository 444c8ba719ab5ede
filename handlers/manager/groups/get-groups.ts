import type { IRequestStrict } from 'itty-router';
import { success } from '../../../lib/http/responses.ts';
import type { ManagerContext } from '../context.ts';
import type { GroupNames } from './answers.ts';

/**
 * `GET /api/groups`: the names, and the base of the addresses that agents connect to. Fails with `database_unavailable`
 * until the folder was read: to callers a group that is left out is a deleted one.
 */
export function getGroups(
  _request: IRequestStrict,
  { groups, service }: Pick<ManagerContext, 'groups' | 'service'>,
): Response {
  if (!groups.isLoaded()) throw service.notLoaded();
  return success<GroupNames>({
    groups: groups.names(),
    default: service.defaultGroup,
    gateway_url: service.gatewayUrl(),
  });
}
