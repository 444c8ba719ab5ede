/**
 * Groups: which tools an agent sees. The truth is one JSON file per group (contract section 4); what is here
 * is the last good version of each file, kept fresh within a second of any change.
 */
export interface Group {
  readonly name: string;
  readonly description: string;
  readonly includedTools: readonly string[];
  /** All tools of these servers are in the group. */
  readonly includedServers: readonly string[];
  /** Wins over both lists above. */
  readonly excludedTools: readonly string[];
  /** Full names `{server}__{prompt}`; undefined: all prompts of the servers behind the group. */
  readonly includedPrompts: readonly string[] | undefined;
  /** URIs and URI templates; undefined: all resources of the servers behind the group. */
  readonly includedResources: readonly string[] | undefined;
  /** Full tool or prompt name → the name agents see and call instead. */
  readonly exposedNames: ReadonlyMap<string, string>;
  /** The whole file, fields we do not know included. */
  readonly document: Readonly<Record<string, unknown>>;
  /** Changes with every change of the file's bytes. Quoted, as in an HTTP ETag. */
  readonly etag: string;
  readonly modifiedAt: Date;
}

export interface GroupEntry {
  /** The last good version; undefined when the file was never readable. */
  readonly group: Group | undefined;
  /** Why the file cannot be used as it is now; the last good version then goes on serving. */
  readonly problem: string | undefined;
}

/** The three lists that decide what is in a group. Of the rest of the file only what `GroupChange` names is ever touched. */
export interface GroupLists {
  readonly includedTools: readonly string[];
  readonly includedServers: readonly string[];
  readonly excludedTools: readonly string[];
}

/** What an edit makes of a group. */
export interface GroupChange extends GroupLists {
  /** Absent: as it is. */
  readonly description?: string;
  /** Absent: as they are. */
  readonly exposedNames?: ReadonlyMap<string, string>;
}

export interface Groups {
  isLoaded(): boolean;
  /** Names of all group files, sorted; also of those with a problem. */
  names(): readonly string[];
  /** Undefined: there is no such file. */
  read(name: string): GroupEntry | undefined;
  /** Fails with `conflict` when the file exists, `invalid_params` for a bad name. */
  create(name: string, content: { description?: string; tools?: readonly string[] }): Promise<Group>;
  /**
   * Changes one group: reads the file again inside the group's lock, lets `edit` compute what is to change, writes
   * atomically and durably, and only then resolves, with the group as this edit left it. Edits that wait during
   * one write share the next one; `edit` runs again when the file changed meanwhile, so it has no effects.
   * Fails with `group_not_found`, `group_unreadable` (a problem: nothing is written), `conflict` (the file would
   * be unusable), `storage_failed`, `database_unavailable` (no lock), or what `edit` throws; then nothing changed.
   */
  change(name: string, edit: (group: Group) => GroupChange): Promise<Group>;
  /** Fails with `group_not_found`, and with `conflict` for the default group. */
  remove(name: string): Promise<void>;
  /**
   * Gives a group another name. `prepare` runs with the group as it is renamed, inside the locks of both names; when it
   * throws nothing is renamed, and it runs again when the file changes meanwhile. Fails as `change` does, and with
   * `conflict` for the default group and for a name that is taken, `invalid_params` for a bad name.
   */
  rename(name: string, to: string, prepare: (group: Group) => Promise<void>): Promise<Group>;
  /** What the group is called now that had this name, which no file has. */
  renamedTo(name: string): string | undefined;
  close(): Promise<void>;
}
