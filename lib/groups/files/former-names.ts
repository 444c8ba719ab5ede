import type { Groups } from '../groups.ts';

/**
 * Field of a group's file with its former names, newest first: an agent that still asks for one gets the new name in
 * the error. Former names have no endpoint; a new group may have one of them.
 */
const field = 'former_names';

/** Bounds the file. */
const mostFormerNames = 8;

type Document = Readonly<Record<string, unknown>>;

/** The file of a group under another name. */
export function renamedDocument(name: string, document: Document, to: string): Record<string, unknown> {
  const former = [name, ...formerNames(document)].filter((one) => one !== to);
  return { ...document, name: to, [field]: [...new Set(former)].slice(0, mostFormerNames) };
}

/** The present name of the group that had this name. Only for a name that no file has. */
export function findRenamed(groups: Pick<Groups, 'names' | 'read'>, name: string): string | undefined {
  return groups.names().find((now) => formerNames(groups.read(now)?.group?.document ?? {}).includes(name));
}

/** Checks the field, since people write these files, too. */
function formerNames(document: Document): readonly string[] {
  const names = document[field];
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : [];
}
