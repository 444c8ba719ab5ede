import { groupEndpoint } from '../clients/client-configuration.ts';
import type { AdminAnswer, AdminClient } from './admin-client.ts';
import { CliFailure } from './cli-failure.ts';

export interface GroupsAnswer {
  readonly names: readonly string[];
  readonly defaultGroup: string;
  /** Base address of the gateway, as agents reach it. */
  readonly gatewayUrl: string;
  readonly answer: AdminAnswer;
}

export async function readGroups(admin: AdminClient): Promise<GroupsAnswer> {
  const answer = await admin.request('GET', '/api/groups');
  const names = Array.isArray(answer.groups) ? answer.groups.map(String) : [];
  return {
    names,
    defaultGroup: String(answer.default ?? ''),
    gatewayUrl: String(answer.gateway_url ?? '').replace(/\/$/, ''),
    answer,
  };
}

/**
 * The endpoint for agents of one group. Fails when there is no such group.
 * @param gatewayUrl Replaces the base address that agents use.
 */
export async function readGroupEndpoint(
  admin: AdminClient,
  wanted: string | undefined,
  gatewayUrl?: string,
): Promise<{ group: string; endpoint: string }> {
  const groups = await readGroups(admin);
  const group = wanted ?? groups.defaultGroup;
  if (!groups.names.includes(group)) {
    throw new CliFailure(`There is no group of that name; there are: ${groups.names.join(', ')}.`);
  }
  return { group, endpoint: groupEndpoint(gatewayUrl ?? groups.gatewayUrl, group) };
}
