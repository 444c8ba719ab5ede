import { affectedTools } from './affected-groups.ts';
import type { RegistryParts } from './registry-parts.ts';
import { originHash } from './server-origin.ts';

/**
 * On record: the origins of servers that were removed while groups had them ticked. Their names are free, but agents
 * of those groups would call whoever comes next under them.
 */
export interface RemovedServers {
  /** Hash of the origin (`server-origin.ts`), '' where nobody knew it; undefined: none is on record. */
  originOf(server: string): Promise<string | undefined>;
  /** Replaces what was on record. */
  keep(server: string, origin: string): Promise<void>;
  forget(server: string): Promise<void>;
}

type Parts = Pick<RegistryParts, 'removed' | 'known' | 'catalog' | 'groups'>;

/** To be called before anything of the server is removed. */
export async function noteRemoval({ removed, known, catalog, groups }: Parts, name: string): Promise<void> {
  const isTicked = Object.keys(affectedTools(groups, catalog, name)).length > 0;
  if (!isTicked) return removed.forget(name);
  const config = known.current.get(name) ?? catalog.server(name)?.config;
  await removed.keep(name, config === undefined ? '' : await originHash(config));
}
