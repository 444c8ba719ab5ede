import type { ServerConfig } from './server-config.ts';

/** The folder of registration configs: one `<name>.json` per server, the truth about which servers exist. */
export interface ConfigFiles {
  /**
   * Name (the file's, without `.json`) → what the file says. Undefined while the folder is missing or cannot be
   * read: then nothing is known about any file, and nothing may be concluded from their absence.
   */
  readAll(): Promise<ReadonlyMap<string, ConfigFile> | undefined>;
  /** Tells one folder from another that took its place; undefined while there is none. */
  folder(): Promise<string | undefined>;
  /** Fails with `storage_failed`. */
  createFolder(): Promise<void>;
  /** Creates or replaces the server's file; it is durable when this resolves. Fails with `storage_failed`. */
  write(config: ServerConfig): Promise<Undo>;
  /** Fails with `storage_failed`; fine when there is no such file. */
  remove(name: string): Promise<Undo>;
  /** Calls `onChange` once watching began, soon after any file changed, and now and then without a reason. */
  watch(onChange: () => void): Promise<{ close(): void }>;
}

export type ConfigFile =
  | { readonly config: ServerConfig }
  /** Why the file cannot be used, with what it refers to as far as that can be read. */
  | { readonly problem: string; readonly references: readonly string[] };

/** Puts back, byte for byte, what was there before. */
export type Undo = () => Promise<void>;
