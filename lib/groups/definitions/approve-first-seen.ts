import type { Catalog } from '../../catalog/catalog.ts';
import type { Bus } from '../../events/bus.ts';
import { toFailure } from '../../failure.ts';
import type { Log } from '../../log.ts';
import type { Groups } from '../groups.ts';
import { namesOf } from '../visible/visible-tools.ts';
import { followGroups, type GroupFollowing } from '../warnings/follow-groups.ts';
import { type Definition, definitionOf } from './approvals.ts';
import type { DatabaseApprovals } from './database-approvals.ts';

/**
 * Tools that came into a group other than by a Save or a toggle, that is by hand or with an included server:
 * their definition counts as accepted when it is first seen (contract section 1, `state`). Works behind the
 * news and never holds anybody up; what fails is tried again with the next news.
 */
export interface FirstSeenDeps {
  readonly groups: Pick<Groups, 'names' | 'read' | 'isLoaded'>;
  readonly catalog: Pick<Catalog, 'server' | 'tool' | 'isLoaded'>;
  readonly approvals: Pick<DatabaseApprovals, 'approved' | 'approveFirstSeen' | 'isLoaded'>;
  readonly bus: Bus;
  readonly log: Log;
}

/** Long enough for a Save to store what it accepts itself. */
const delayMs = 100;

/** Call when groups, catalog and acceptance are there; before they are loaded nothing is accepted. */
export function approveFirstSeen({ groups, catalog, approvals, bus, log }: FirstSeenDeps): GroupFollowing {
  async function look(name: string): Promise<void> {
    const group = groups.read(name)?.group;
    if (group === undefined) return;
    const accepted = approvals.approved(name);
    const unseen = new Map<string, Definition>();
    for (const fullName of namesOf(group, catalog)) {
      const tool = catalog.tool(fullName);
      if (tool && !accepted.has(fullName)) unseen.set(fullName, definitionOf(tool));
    }
    if (unseen.size > 0) await approvals.approveFirstSeen(name, unseen);
  }

  return followGroups({ groups, bus }, delayMs, async (names) => {
    if (!groups.isLoaded() || !catalog.isLoaded() || !approvals.isLoaded()) return;
    try {
      for (const name of names) await look(name);
    } catch (error) {
      log.warn({ reason: toFailure(error).code }, 'tools seen for the first time could not be stored');
    }
  });
}
