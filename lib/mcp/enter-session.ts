import type { IRequestStrict } from 'itty-router';
import type { Catalog } from '../catalog/catalog.ts';
import { Failure } from '../failure.ts';
import type { Groups } from '../groups/groups.ts';
import { pathParam } from '../http/route-table.ts';
import { knownVersions, protocolVersions } from '../json-rpc/protocol-versions.ts';
import type { ServiceInfo } from '../service-info.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import type { GroupView, GroupViews } from './views/group-views.ts';

/** The parts of a request that name a session: the path, `Mcp-Session-Id` and `MCP-Protocol-Version`. */
export interface EntryFacts {
  readonly group: string;
  readonly sessionId: string | null;
  readonly protocolVersion: string | null;
}

export interface EntryDependencies {
  readonly groups: Pick<Groups, 'read' | 'renamedTo'>;
  readonly views: Pick<GroupViews, 'read'>;
  readonly sessions: Pick<Sessions, 'find' | 'read'>;
}

/** @param context Its catalog is loaded once the whole service is; before, an answer would be a guess. */
export function assertReady({
  catalog,
  service,
}: {
  readonly catalog: Pick<Catalog, 'isLoaded'>;
  readonly service: Pick<ServiceInfo, 'notLoaded'>;
}): void {
  if (!catalog.isLoaded()) throw service.notLoaded();
}

/** The group in the path; the default group for `/mcp`. A segment that cannot be decoded names no group. */
export function groupOf(
  request: IRequestStrict,
  { defaultGroup }: Pick<ServiceInfo, 'defaultGroup'>,
): string {
  if (request.params.group === undefined) return defaultGroup;
  try {
    return pathParam(request, 'group');
  } catch {
    throw new Failure('group_not_found', 'There is no group of this name.');
  }
}

export function entryFactsOf(
  request: IRequestStrict,
  service: Pick<ServiceInfo, 'defaultGroup'>,
): EntryFacts {
  return {
    group: groupOf(request, service),
    sessionId: request.headers.get('mcp-session-id'),
    protocolVersion: request.headers.get('mcp-protocol-version'),
  };
}

/**
 * The live session that the headers name, and the group's view.
 * @param how `find` counts as a use of the session, `read` does not.
 * @throws Failure `group_not_found`, `session_required`, `session_not_found`, `unsupported_protocol_version`.
 */
export async function enterSession(
  facts: EntryFacts,
  { groups, views, sessions }: EntryDependencies,
  how: 'find' | 'read' = 'find',
): Promise<{ session: Session; view: GroupView }> {
  const view = views.read(facts.group);
  if (view === undefined) throw noSuchGroup(groups, facts.group);
  assertKnownVersion(facts.protocolVersion);
  if (facts.sessionId === null || facts.sessionId === '') {
    throw new Failure('session_required', 'Send the `Mcp-Session-Id` that `initialize` returned.');
  }
  const found = sessions[how](facts.sessionId);
  const session = found instanceof Promise ? await found : found;
  if (session === undefined || session.group !== facts.group) {
    throw new Failure('session_not_found', 'Session not found; send `initialize` again.');
  }
  return { session, view };
}

/** Gives the reason when the group's file cannot be used, and the new name of a group that was renamed. */
export function noSuchGroup(groups: EntryDependencies['groups'], name: string): Failure {
  const entry = groups.read(name);
  if (entry?.problem !== undefined) {
    return new Failure('group_not_found', `The group's file cannot be used: ${entry.problem}`);
  }
  const now = entry === undefined ? groups.renamedTo(name) : undefined;
  const hint = now === undefined ? '' : ` It is called \`${now}\` now: connect to /v0/groups/${now}/mcp.`;
  return new Failure('group_not_found', `There is no group of this name.${hint}`);
}

/**
 * Checks the `MCP-Protocol-Version` header. Absent is fine, and a known version other than the session's is
 * accepted: the stored one wins (docs/protocol.md, rule 23).
 */
function assertKnownVersion(header: string | null): void {
  if (header !== null && !knownVersions.has(header)) {
    throw new Failure(
      'unsupported_protocol_version',
      `This MCP-Protocol-Version is not supported; known are ${protocolVersions.join(', ')}.`,
    );
  }
}
