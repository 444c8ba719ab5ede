import { Failure } from '../http/failure.ts';

/** Failures that several parts of the groups' code share. The name that was asked for is not repeated. */

export function groupNotFound(): Failure {
  return new Failure('group_not_found', 'There is no group of that name.');
}

export function groupUnreadable(name: string, problem: string): Failure {
  return new Failure(
    'group_unreadable',
    `The file of group \`${name}\` has to be repaired first. ${problem}`,
  );
}
