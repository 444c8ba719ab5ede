/** Identity and version of a file; differs after any change. */
export type FileStamp = string;

/** There is no such file. */
export const absent: FileStamp = 'absent';

/** As much of `stat` with big integers as tells one version of a file from another. */
export interface VersionStats {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

export function stampOf(stats: VersionStats): FileStamp {
  return `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
}
