import { Failure } from '../failure.ts';
import type { GroupFile } from './files/group-file.ts';

/**
 * Groups: the tools, prompts and resources that agents of one endpoint see. Each is one JSON file (docs/api.md,
 * Group files); this process has the last good version of each file, at most a second old.
 */
export interface Group {
  readonly name: string;
  readonly description: string;
  readonly includedTools: readonly string[];
  /** All tools of these servers are in the group. */
  readonly includedServers: readonly string[];
  /** Overrides both lists above. */
  readonly excludedTools: readonly string[];
  /** Full names `{server}__{prompt}`; undefined: all prompts of the servers behind the group. */
  readonly includedPrompts: readonly string[] | undefined;
  /** URIs and URI templates; undefined: all resources of the servers behind the group. */
  readonly includedResources: readonly string[] | undefined;
  /** Full tool or prompt name → the name that agents see and call instead. */
  readonly exposedNames: ReadonlyMap<string, string>;
  /** The whole file, with unknown fields. */
  readonly document: GroupFile & Readonly<Record<string, unknown>>;
  /** Changes with every change of the file's bytes. Quoted, as in an HTTP ETag. */
  readonly etag: string;
  readonly modifiedAt: Date;
  /** The file is a link, and kept elsewhere. */
  readonly isReadOnly?: boolean;
}

export interface GroupEntry {
  /** The last good version; undefined until the file is usable for the first time. */
  readonly group: Group | undefined;
  /** Why the present file is unusable; the last good version then continues to serve. */
  readonly problem: string | undefined;
}

/** The three lists that decide the tools of a group. */
export interface GroupLists {
  readonly includedTools: readonly string[];
  readonly includedServers: readonly string[];
  readonly excludedTools: readonly string[];
}

/** The fields that an edit sets; all others of the file stay unchanged. */
export interface GroupChange extends GroupLists {
  /** Absent: unchanged. */
  readonly description?: string;
  /** Absent: unchanged. */
  readonly exposedNames?: ReadonlyMap<string, string>;
  /** Absent: unchanged. */
  readonly includedPrompts?: readonly string[] | undefined;
}

export interface Groups {
  isLoaded(): boolean;
  /** Names of all group files, unusable ones too, sorted. */
  names(): readonly string[];
  /** Undefined: no such file. */
  read(name: string): GroupEntry | undefined;
  /** Fails with `conflict` when the file exists, `invalid_params` for a bad name, `group_read_only`. */
  create(name: string, content: { description?: string; tools?: readonly string[] }): Promise<Group>;
  /**
   * Changes one group: reads the file again inside the group's lock, lets `edit` compute the change, writes atomically and
   * durably, and only then resolves, with the group after this edit. Edits that wait during one write share the next one;
   * `edit` runs again when the file changed meanwhile, so it has no effects. Fails with `group_not_found`,
   * `group_unreadable`, `group_read_only`, `conflict` (the file would be unusable), `storage_failed`,
   * `database_unavailable` (no lock), or with the error of `edit`; then nothing changed.
   */
  change(name: string, edit: (group: Group) => GroupChange): Promise<Group>;
  /** Fails with `group_not_found`, `group_read_only`, and with `conflict` for the default group. */
  remove(name: string): Promise<void>;
  /**
   * Gives a group another name. `prepare` runs with the group before the rename, inside the locks of both names; when it
   * throws, the group keeps its name, and when the file changes meanwhile, it runs again. Fails as `change` does, and with
   * `conflict` for the default group and for a name that is taken, `invalid_params` for a bad name.
   */
  rename(name: string, to: string, prepare: (group: Group) => Promise<void>): Promise<Group>;
  /** The present name of the group that had this name, which no file has. */
  renamedTo(name: string): string | undefined;
  close(): Promise<void>;
}

/**
 * The sentence does not repeat the requested name.
 * @param renamedTo The present name of the group, where it had the requested name once.
 */
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
