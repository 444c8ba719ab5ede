import { originHash } from '../../config/server-origin.ts';
import type { RegistryParts } from '../registry-parts.ts';
import { affectedTools } from './affected-groups.ts';

type Parts = Pick<RegistryParts, 'removed' | 'known' | 'catalog' | 'groups'>;

/** To be called before anything of the server is removed. */
export async function noteRemoval({ removed, known, catalog, groups }: Parts, name: string): Promise<void> {
  const isTicked = Object.keys(affectedTools(groups, catalog, name)).length > 0;
  if (!isTicked) return removed.forget(name);
  const config = known.current.get(name) ?? catalog.server(name)?.config;
  await removed.keep(name, config === undefined ? '' : await originHash(config));
}
