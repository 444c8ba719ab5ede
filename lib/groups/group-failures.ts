import { Failure } from '../failure.ts';

/** Failures that several parts of the groups' code share. The name that was asked for is not repeated. */

/** @param renamedTo What it is called now, where it had that name once. */
export function groupNotFound(renamedTo?: string): Failure {
  const hint = renamedTo === undefined ? '' : ` It is called \`${renamedTo}\` now.`;
  return new Failure('group_not_found', `There is no group of that name.${hint}`);
}

export function groupExists(name: string): Failure {
  return new Failure('conflict', `Group \`${name}\` exists already.`);
}

export function groupUnreadable(name: string, problem: string): Failure {
  return new Failure(
    'group_unreadable',
    `The file of group \`${name}\` has to be repaired first. ${problem}`,
  );
}
