import { type FileHandle, lstat, readlink, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pause } from '../async/wait.ts';
import { contentOf, type FileContent, readRegularFile, unusable } from './node-regular-file.ts';

/**
 * Reads files that may be links. Whoever keeps files for us elsewhere lays them out so: in a volume of a Kubernetes
 * ConfigMap or Secret `<name>.json` leads to `..data/<name>.json`, and `..data` to `..2026_11_25_10_00_00.1`; an update
 * makes another such folder, renames a new `..data` over the old one, and deletes the old folder. Between the steps
 * of one read the folder may therefore be gone: the file is then read again, and is never taken for absent or broken.
 */
export type FolderFile =
  | (Extract<FileContent, { kind: 'text' }> & {
      /** It is kept elsewhere, and is not ours to write. */
      readonly isLink: boolean;
    })
  | Exclude<FileContent, { kind: 'text' }>;

/**
 * A file of one of our folders. A link is followed where the file behind it lies within the folder, so that no link leads
 * to another file of this machine; whatever is exchanged while we look, what is read lay there.
 */
export async function readFolderFile(path: string): Promise<FolderFile> {
  const content = await readRegularFile(path);
  if (content.kind === 'text') return { ...content, isLink: false };
  if (content.kind === 'absent' || !content.isLink) return content;
  const { content: behind } = await readLinked(path, isWithin);
  if (behind.kind === 'text') return { ...behind, isLink: true };
  // Where the link itself is gone, its file was removed.
  return behind.kind === 'absent' && (await isThere(path)) ? danglingLink : behind;
}

/** A file that the operator named: a link may lead anywhere. */
export interface LinkedFile {
  readonly content: FileContent;
  /** Of the file itself, behind a link if there is one. */
  readonly path: string;
  /** The volume of whoever keeps the file exchanges it: what we would write there would be lost. */
  readonly isSwapped: boolean;
}

export async function readNamedFile(path: string): Promise<LinkedFile> {
  const content = await readRegularFile(path);
  const isLink = content.kind === 'unusable' && content.isLink === true;
  return isLink ? await readLinked(path, () => true) : { content, path, isSwapped: false };
}

/** The link of a folder that is exchanged when all of its files get another version at once. */
export const swapLink = '..data';

/** Where the folder's files lead to now; undefined for a folder whose files are its own. */
export function swappedVersion(folder: string): Promise<string | undefined> {
  return readlink(join(folder, swapLink)).catch(() => undefined);
}

/** Between the steps of one exchange there is a moment; a link that leads nowhere for longer than all of these is broken. */
const pausesMs = [1, 5, 10, 20, 40, 80];

/** Bounds a reading during which the folder is exchanged again and again. */
const mostAttempts = 200;

const outside = 'It is a link that leads out of its folder; such links are not followed.';
const circle = 'It is a link that leads in a circle.';
const danglingLink = { kind: 'unusable', problem: 'It is a link to a file that does not exist.' } as const;

async function readLinked(link: string, isAllowed: IsAllowed): Promise<LinkedFile> {
  for (let attempts = 0, failed = 0; attempts < mostAttempts && failed <= pausesMs.length; attempts++) {
    const version = await swappedVersion(dirname(link));
    const found = await readOnce(link, isAllowed);
    if (found.content.kind !== 'absent') return found;
    // What was exchanged meanwhile is there in another version.
    if ((await swappedVersion(dirname(link))) === version) await pause(pausesMs[failed++] ?? 0);
  }
  return { content: { kind: 'absent' }, path: link, isSwapped: false };
}

type IsAllowed = (target: string, folder: string) => boolean;

/** Absent: the link leads nowhere, or what it led to is gone by now. */
async function readOnce(link: string, isAllowed: IsAllowed): Promise<LinkedFile> {
  try {
    const folder = await realpath(dirname(link));
    const path = await realpath(link);
    if (!isAllowed(path, folder)) return { content: unusable(outside), path, isSwapped: false };
    const isSwapped = isWithin(path, folder) && relative(folder, path).startsWith('..');
    return { content: await readRealPath(path), path, isSwapped };
  } catch (error) {
    const isCircle = (error as NodeJS.ErrnoException).code === 'ELOOP';
    return { content: isCircle ? unusable(circle) : contentOf(error), path: link, isSwapped: false };
  }
}

/** @param path Resolved a moment ago. A file that lies elsewhere by now counts as absent. */
export function readRealPath(path: string): Promise<FileContent> {
  return readRegularFile(path, (opened) => liesAt(opened, path));
}

function isWithin(path: string, folder: string): boolean {
  return path.startsWith(folder === sep ? folder : folder + sep);
}

/**
 * Whether this path, without any link on the way, is where the opened file lies: a folder on the way may have been
 * exchanged for a link since the path was resolved. Linux says where an opened file lies; elsewhere the file that the path
 * has now must be the opened one.
 */
async function liesAt(opened: FileHandle, path: string): Promise<boolean> {
  const place = await readlink(`/proc/self/fd/${opened.fd}`).catch(() => undefined);
  return place === undefined ? await isSameFile(opened, path) : place === path;
}

/** Exported for its test: Linux does without it. */
export async function isSameFile(opened: FileHandle, path: string): Promise<boolean> {
  const [own, found] = await Promise.all([opened.stat({ bigint: true }), lstat(path, { bigint: true })]);
  return own.dev === found.dev && own.ino === found.ino && (await realpath(path)) === path;
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
