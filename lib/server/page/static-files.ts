/** The dashboard's files, all in memory: a lookup by exact path cannot leave the folder they came from. */
export interface StaticFiles {
  /** @param path Relative to `static/`, as `index.html`; anything else than a file that is there: undefined. */
  read(path: string): StaticFile | undefined;
}

export interface StaticFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Quoted, as in an HTTP ETag; changes with the bytes. */
  readonly etag: string;
}
