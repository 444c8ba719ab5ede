/** In which order test files run, so that no long one runs alone at the end while the other lanes are empty. */

/** They take seconds and compute for hardly one of them: lanes of their own cost the others nothing. The longest first. */
export const mostlyWaiting = [
  'contract/database/database-limits',
  'contract/sessions/sessions-neon',
  'contract/sessions/sessions-postgres',
  'contract/database/database-faults',
  'unit/secrets/vault-token',
  'unit/registry/absence',
  'unit/secrets/vault-kv',
  'unit/server/connection-limits',
  'contract/upstreams/upstreams-asking',
  'unit/events/database-bus',
  'contract/events/bus-postgres',
  'unit/database/pool-database',
  'unit/static/events',
  'contract/sessions/client-requests',
  'contract/sessions/sessions-memory',
  'unit/files/watch-folder',
  'unit/containers/hung-engine',
  'unit/secrets/env-file',
] as const;

/** They take seconds in any company, and begin first, the longest at the head. The others keep their order. */
export const longest = [
  'contract/database/database-pglite',
  'contract/cli/cli-service',
  'contract/sessions/sessions-pglite',
  'contract/groups/groups-database',
  'contract/container-host/containers-owner',
  'contract/catalog/catalog',
  'contract/registry/registry',
  'unit/project/stack/make-targets',
  'unit/project/runner/shared-process',
  'unit/definitions/hostile',
  'unit/services/end-serving',
  'unit/database/data-lock',
  'unit/project/runner/run-file',
  'dashboard/trouble',
  'dashboard/add-server',
] as const;

/** They use the same container engine: one after another, beside what does not. */
export const inTurn = ['dashboard/provision', 'dashboard/updates'] as const;

export interface OrderedFiles {
  readonly waiting: string[];
  readonly working: string[];
  readonly inTurn: string[];
}

/** @param files paths that end in a name above and `.test.ts`, or in another name. */
export function orderFiles(files: readonly string[]): OrderedFiles {
  const rankIn = (names: readonly string[], file: string) =>
    names.findIndex((name) => file.endsWith(`/${name}.test.ts`));
  const isWaiting = (file: string) => rankIn(mostlyWaiting, file) >= 0;
  const isInTurn = (file: string) => rankIn(inTurn, file) >= 0;
  const rank = (file: string) => {
    const found = rankIn(longest, file);
    return found < 0 ? longest.length : found;
  };
  return {
    waiting: files
      .filter(isWaiting)
      .sort((one, other) => rankIn(mostlyWaiting, one) - rankIn(mostlyWaiting, other)),
    working: files
      .filter((file) => !isWaiting(file) && !isInTurn(file))
      .sort((one, other) => rank(one) - rank(other)),
    inTurn: files.filter(isInTurn),
  };
}
