import type { Group, Groups } from '../groups.ts';

/**
 * The names that a group had before, newest first, in a field of its file: an agent that still asks for one is told the
 * new one. They serve nothing; a group that is made anew under one of them is that group.
 */
const field = 'former_names';

/** So that the file does not grow with every whim. */
const mostKept = 8;

/** The same file under another name. */
export function renamedDocument({ name, document }: Group, to: string): Record<string, unknown> {
  const former = [name, ...formerNames(document)].filter((one) => one !== to);
  return { ...document, name: to, [field]: [...new Set(former)].slice(0, mostKept) };
}

/** What the group is called now that had this name. Only for a name that no file has. */
export function findRenamed(groups: Pick<Groups, 'names' | 'read'>, name: string): string | undefined {
  return groups.names().find((now) => formerNames(groups.read(now)?.group?.document ?? {}).includes(name));
}

/** People write these files, too. */
function formerNames(document: Readonly<Record<string, unknown>>): readonly string[] {
  const names = document[field];
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : [];
}
