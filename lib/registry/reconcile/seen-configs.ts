/**
 * In which folder each stored server's config file was seen last, so that another folder's lack of it can be told from its
 * removal, also after a restart.
 */
export interface SeenConfigs {
  /** Server → identity of the folder (`ConfigFiles.folder`), or `elsewhere` (`judge-absence.ts`). */
  read(): Promise<ReadonlyMap<string, string>>;
  /** Servers that are not stored are left out. */
  note(servers: readonly string[], folder: string): Promise<void>;
}
