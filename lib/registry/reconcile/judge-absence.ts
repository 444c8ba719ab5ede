/**
 * Decides how missing config files are treated. A person who removes a file wants its server removed; a folder that is
 * not mounted, was emptied, or is another one removes no server (docs/decisions/0016).
 */
export interface Absence {
  /** The servers whose file was removed by hand: they are deregistered. */
  readonly removed: readonly string[];
  /** The servers that were registered while this folder was away: their file is written into it. */
  readonly unwritten: readonly string[];
  /** The servers that continue without their file. */
  readonly missed: readonly string[];
  /** With `missed`. */
  readonly problem: FolderProblem | undefined;
}

export interface FolderProblem {
  readonly kind: 'missing' | 'empty' | 'lacking';
  /** States the fault, that servers continue, and the remedy. */
  readonly sentence: string;
}

export interface FolderContent {
  /** Identity of the folder; undefined: it is missing or cannot be read. */
  readonly folder: string | undefined;
  /** Names of the existing files. */
  readonly found: readonly string[];
  /** Names of servers whose file is missing. */
  readonly gone: readonly string[];
  /** The folder in which each file was seen last, before this pass, while no file was missing there; or `elsewhere`. */
  readonly seenIn: ReadonlyMap<string, string>;
  readonly isBoot: boolean;
  /** Files were missing in the pass before: restoring them may take longer than one pass. */
  readonly wereMissed: boolean;
}

/** Stands for a folder: the file was seen only while others were missing, so its folder may be a wrong one. */
export const storedElsewhere = 'elsewhere';

export function judgeAbsence(content: FolderContent): Absence {
  const { folder, found, gone, seenIn } = content;
  if (folder === undefined) return missing('missing', gone);
  const isForeign = (name: string) => (seenIn.get(name) ?? folder) !== folder;
  const isBack = found.some((name) => seenIn.get(name) === folder);
  const unwritten = gone.filter((name) => isBack && seenIn.get(name) === storedElsewhere);
  const rest = gone.filter((name) => !unwritten.includes(name));
  const isOrder = !content.wereMissed && !rest.some(isForeign);
  const isAll = found.length === 0 && (content.isBoot || rest.length > 1);
  if (isOrder && !isAll) return { removed: rest, unwritten, missed: [], problem: undefined };
  return { ...missing(found.length === 0 ? 'empty' : 'lacking', rest), unwritten };
}

function missing(kind: FolderProblem['kind'], missed: readonly string[]): Absence {
  const problem = missed.length === 0 ? undefined : { kind, sentence: sentenceOf(kind, missed) };
  return { removed: [], unwritten: [], missed, problem };
}

const mostNames = 5;

function sentenceOf(kind: FolderProblem['kind'], missed: readonly string[]): string {
  const folder = 'The folder of registration configs (CONFIGS_DIR)';
  if (kind === 'missing') {
    return `${folder} is missing or cannot be read: put it back. All servers go on as they were registered.`;
  }
  const what = kind === 'empty' ? 'is empty and lacks' : 'is another one than before, or was away, and lacks';
  const whose = `the ${missed.length === 1 ? 'file' : 'files'} of ${listed(missed)}`;
  return (
    `${folder} ${what} ${whose}. These servers go on as they were registered: ` +
    'put the files back, or delete the servers that are not wanted any more.'
  );
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map((name) => `\`${name}\``);
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
