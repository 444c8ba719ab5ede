import type { Catalog } from '../../catalog/catalog.ts';
import type { Bus } from '../../events/bus.ts';
import { toFailure } from '../../failure.ts';
import type { Log } from '../../log.ts';
import type { Groups } from '../groups.ts';
import { namesOf } from '../visible/visible-tools.ts';
import { followGroups, type GroupFollowing } from '../warnings/follow-groups.ts';
import { type Definition, definitionOf } from './approval-rows.ts';
import type { DatabaseApprovals } from './approvals.ts';

/**
 * Approves the definitions of tools that came into a group by hand or with an included server, when they are first seen
 * (docs/decisions/0013). Runs after the bus messages, so publishers do not wait for it; a failure is retried with
 * the next message.
 */
export interface FirstSeenDeps {
  readonly groups: Pick<Groups, 'names' | 'read' | 'isLoaded'>;
  readonly catalog: Pick<Catalog, 'server' | 'tool' | 'isLoaded'>;
  readonly approvals: Pick<DatabaseApprovals, 'approved' | 'approveFirstSeen' | 'isLoaded'>;
  readonly bus: Bus;
  readonly log: Log;
}

/** Long enough for a Save to store its own approvals. */
const delayMs = 100;

/** Until groups, catalog and approvals are loaded nothing is approved. */
export function approveFirstSeen({ groups, catalog, approvals, bus, log }: FirstSeenDeps): GroupFollowing {
  async function approveUnseen(name: string): Promise<void> {
    const group = groups.read(name)?.group;
    if (group === undefined) return;
    const approved = approvals.approved(name);
    const unseen = new Map<string, Definition>();
    for (const fullName of namesOf(group, catalog)) {
      const tool = catalog.tool(fullName);
      if (tool && !approved.has(fullName)) unseen.set(fullName, definitionOf(tool));
    }
    if (unseen.size > 0) await approvals.approveFirstSeen(name, unseen);
  }

  return followGroups({ groups, bus }, delayMs, async (names) => {
    if (!groups.isLoaded() || !catalog.isLoaded() || !approvals.isLoaded()) return;
    try {
      for (const name of names) await approveUnseen(name);
    } catch (error) {
      log.warn({ reason: toFailure(error).code }, 'tools seen for the first time could not be stored');
    }
  });
}
