import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { jsonNameOf } from '../files/node-folder.ts';
import type { EnvironmentVariables } from '../settings/setting-reader.ts';

/**
 * Whether a process with these settings needs no folder: it serves agents only, has a Postgres, and no setting and no file
 * gives it groups of its own (docs/decisions/0029). It then takes groups and servers from the database.
 * @param folder Its home; an empty `groups/` there counts as none.
 */
export function isFolderless(variables: EnvironmentVariables, folder: string): boolean {
  const has = (name: string) => (variables[name] ?? '').trim() !== '';
  const servesAgentsOnly = (variables.ROLES ?? '').trim() === 'gateway';
  const hasPostgres = has('DATABASE_URL') || has('POSTGRES_HOST');
  return servesAgentsOnly && hasPostgres && !has('GROUPS_DIR') && !hasGroups(join(folder, 'groups'));
}

function hasGroups(folder: string): boolean {
  try {
    return readdirSync(folder).some((file) => jsonNameOf(file) !== undefined);
  } catch {
    return false;
  }
}
