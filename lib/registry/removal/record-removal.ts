import { originHash } from '../../config/server-origin.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';
import { affectedTools } from './affected-groups.ts';

type Parts = Pick<RegistryDependencies, 'removed' | 'known' | 'catalog' | 'groups'>;

/** To be called before anything of the server is removed. */
export async function recordRemoval({ removed, known, catalog, groups }: Parts, name: string): Promise<void> {
  const isTicked = Object.keys(affectedTools(groups, catalog, name)).length > 0;
  if (!isTicked) return removed.forget(name);
  const config = known.current.get(name) ?? catalog.server(name)?.config;
  await removed.keep(name, config === undefined ? '' : await originHash(config));
}
