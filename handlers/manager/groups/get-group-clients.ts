import type { IRequestStrict } from 'itty-router';
import {
  clientConfiguration,
  clientNames,
  groupEndpoint,
} from '../../../lib/clients/client-configuration.ts';
import { readEntry } from '../../../lib/groups/group-tools.ts';
import { success } from '../../../lib/http/responses.ts';
import { pathParam } from '../../../lib/http/route-table.ts';
import type { GroupReadingContext } from '../context.ts';
import type { GroupClients } from './answers.ts';

/** `GET /api/groups/{name}/clients`: where agents connect, and the configuration of each kind of agent. */
export function getGroupClients(request: IRequestStrict, context: GroupReadingContext): Response {
  const group = pathParam(request, 'name');
  readEntry(context, group);
  const { service } = context;
  const endpoint = groupEndpoint(service.gatewayUrl(), group);
  const target = { group, endpoint, needsToken: service.gatewayNeedsToken };
  const clients = clientNames.map((id) => ({ id, ...clientConfiguration(id, target) }));
  return success<GroupClients>({ group, endpoint, needs_token: service.gatewayNeedsToken, clients });
}
