import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type FileStamp, readRegularFile } from '../../files/node-regular-file.ts';
import { type ParsedGroup, parseGroup } from './parse-group.ts';

/** Reads one group file as it is now. */
export interface FoundGroup {
  readonly parsed: ParsedGroup;
  /** Of the version that was read here; that of no version when it could not be read. */
  readonly stamp: FileStamp;
}

export function groupPath(directory: string, name: string): string {
  return join(directory, `${name}.json`);
}

export function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
}

/** Undefined: there is no such file. */
export async function readGroupFile(directory: string, name: string): Promise<FoundGroup | undefined> {
  const content = await readRegularFile(groupPath(directory, name));
  if (content.kind === 'absent') return undefined;
  if (content.kind === 'unusable') return { parsed: { problem: content.problem }, stamp: 'unread' };
  const { text, modifiedAt, stamp } = content;
  return { parsed: parseGroup(name, { text, etag: etagOf(text), modifiedAt }), stamp };
}
