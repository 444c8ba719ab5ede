import { Failure } from '../../failure.ts';
import type { Group } from '../groups.ts';

/**
 * The refusal of a change to a group whose file is kept elsewhere: a link within the groups folder, as in a volume of
 * Kubernetes, or a folder that is mounted read-only. Whoever keeps the file gets the whole text that the change would
 * have written.
 */
export interface FileToPut {
  /** The name of the file in the groups folder. */
  readonly file: string;
  /** What it is to contain; absent: it is to be deleted. */
  readonly text?: string;
  /** The file that this one replaces, and that is to be deleted. */
  readonly replaces?: string;
}

/** @param to The group's new name. */
export function groupReadOnly(name: string, { text, to = name }: { text?: string; to?: string }): Failure {
  const file = `${to}.json`;
  const replaces = to === name ? undefined : `${name}.json`;
  const old = replaces === undefined ? '' : `, and delete \`${replaces}\``;
  const act =
    text === undefined ? `delete \`${file}\` there` : `put \`${file}\` there with the text given here${old}`;
  const details: FileToPut = { file, ...(text !== undefined && { text }), ...(replaces && { replaces }) };
  return new Failure('group_read_only', `The file of group \`${name}\` is managed elsewhere: ${act}.`, {
    details: { ...details },
  });
}

/** Thrown within this folder, once per write; each edit of the write is refused with a text of its own. */
export class ReadOnlyFile extends Error {
  /** As its file has it. */
  readonly group: Group;

  constructor(group: Group) {
    super('The file is read-only.');
    this.group = group;
  }
}
