import { Failure } from '../../failure.ts';
import { sameLists } from '../group-lists.ts';
import type { Group, GroupChange } from '../groups.ts';
import { formatGroup, type ParsedGroup, parseGroup, withChange } from './parse-group.ts';

/** Computes what is to change; may run several times when the file changes meanwhile, so it has no effects. */
export type GroupEdit = (group: Group) => GroupChange;

/** What came of one edit: the group after it, or why it does not count. */
export type EditOutcome = { readonly group: Group } | { readonly error: unknown };

export interface EditedGroup {
  /** After all edits that succeeded; the very same object when nothing changed. */
  readonly group: Group;
  readonly outcomes: readonly EditOutcome[];
}

/**
 * Edits in the order they came, each on the outcome of the one before, so a batch reads like a history. One that
 * fails leaves the others alone.
 */
export function applyEdits(
  group: Group,
  edits: readonly GroupEdit[],
  etagOf: (text: string) => string,
): EditedGroup {
  let current = group;
  const outcomes = edits.map((edit): EditOutcome => {
    try {
      current = applyEdit(current, edit, etagOf);
      return { group: current };
    } catch (error) {
      return { error };
    }
  });
  return { group: current, outcomes };
}

function applyEdit(group: Group, edit: GroupEdit, etagOf: (text: string) => string): Group {
  const change = edit(group);
  if (isSame(group, change)) return group;
  const text = formatGroup(withChange(group, change));
  return usable(parseGroup(group.name, { text, etag: etagOf(text), modifiedAt: new Date() }));
}

function isSame(group: Group, change: GroupChange): boolean {
  const { description = group.description, exposedNames = group.exposedNames } = change;
  return (
    sameLists(group, change) &&
    description === group.description &&
    exposedNames.size === group.exposedNames.size &&
    [...exposedNames].every(([tool, name]) => group.exposedNames.get(tool) === name)
  );
}

/** Refuses to write a file that could not be read again, such as one with two equal visible names. */
export function usable(parsed: ParsedGroup): Group {
  if ('group' in parsed) return parsed.group;
  throw new Failure('conflict', `The change would make the group's file unusable. ${parsed.problem}`);
}
