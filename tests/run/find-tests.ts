import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `engine` and `stack` need a container engine, `dashboard` a Chromium, `conformance` the official suite, `clients` those
 * of others, `proxies` those programs, `swarm` an engine that no other test uses; they are skipped loudly without one. `readme` runs
 * what the documents tell people to type, `package` what npm packs.
 */
export const kinds = [
  'unit',
  'contract',
  'engine',
  'end-to-end',
  'faults',
  'conformance',
  'dashboard',
  'stack',
  'readme',
  'package',
  'clients',
  'proxies',
  'swarm',
] as const;
export type Kind = (typeof kinds)[number];

/** Most contract files wait more than they work. CI prefers calm to haste: its machine has other work, too. */
const atOnce = process.env.CI ? 3 : 4;

/** The long form takes images away that others use; who runs the short one may say more. */
const endToEndAtOnce = Number(process.env.END_TO_END_AT_ONCE ?? 1);

interface Budget {
  /** Files at the same time. */
  readonly parallel: number;
  /** How long one may take. */
  readonly limitMs: number;
  /** A process goes on to the next file where nothing is left of the last: most of a short file is its start. */
  readonly shareProcess?: boolean;
}

/** What one kind of test may cost. */
export const budgets: Readonly<Record<Kind, Budget>> = {
  unit: { parallel: atOnce, limitMs: 60_000, shareProcess: true },
  contract: { parallel: atOnce, limitMs: 60_000, shareProcess: true },
  engine: { parallel: 2, limitMs: 120_000 },
  'end-to-end': { parallel: endToEndAtOnce, limitMs: process.env.LONG === '1' ? 1_800_000 : 300_000 },
  // They use up what there is of something, or stop the database.
  faults: { parallel: 1, limitMs: 180_000 },
  conformance: { parallel: 1, limitMs: 300_000 },
  // Each has its own service and browser.
  dashboard: { parallel: 2, limitMs: 180_000 },
  // They clone and install, and mostly wait.
  readme: { parallel: 2, limitMs: 480_000 },
  // It installs, and its services wait for each other.
  package: { parallel: 1, limitMs: 420_000 },
  // The first of them may have to install what they need.
  clients: { parallel: 1, limitMs: 600_000 },
  proxies: { parallel: 1, limitMs: 900_000 },
  swarm: { parallel: 1, limitMs: 1_200_000 },
  stack: { parallel: 1, limitMs: process.env.LONG === '1' ? 1_800_000 : 600_000 },
};

/** Of the others each kind has the machine for itself. */
export const besideEachOther: readonly Kind[] = ['unit', 'contract'];

export interface Selection {
  readonly kinds: readonly Kind[];
  /** Parts of paths; a file is taken when it holds one of them. None: all files. */
  readonly filters: readonly string[];
}

/** Words that name a kind choose kinds (none: all of them), the others are path filters. */
export function readSelection(words: readonly string[]): Selection {
  const named = kinds.filter((kind) => words.includes(kind));
  return {
    kinds: named.length > 0 ? named : kinds,
    filters: words.filter((word) => !(kinds as readonly string[]).includes(word)),
  };
}

/** Test files of a kind under `testsDir`, sorted, as paths that start with `testsDir`. */
export function findTests(testsDir: string, kind: Kind, filters: readonly string[]): string[] {
  return listFiles(join(testsDir, kind))
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => filters.length === 0 || filters.some((part) => path.includes(part)))
    .sort();
}

function listFiles(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
