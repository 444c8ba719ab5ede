import type { AvailableUpdate } from '../../containers/images/available-updates.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';
import { containerConfigOf, containersOf, pinOf } from './exchange-image.ts';

/** Asks the registry of a server's image now whether there is a newer one. */
export async function checkUpdate(
  deps: RegistryDependencies,
  name: string,
): Promise<AvailableUpdate | undefined> {
  const config = containerConfigOf(deps, name, []);
  const { images, updates } = containersOf(deps);
  await images.assertPossible();
  await pinOf(deps, config);
  return await updates.check({ name, config });
}
