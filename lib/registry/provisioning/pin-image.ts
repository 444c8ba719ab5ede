import type { RegistryDependencies } from '../registry-dependencies.ts';

/** A server that is new, or whose config names another image than before, is made from this one from now on. */
export async function pinImage(
  { containers }: Pick<RegistryDependencies, 'containers'>,
  name: string,
  reference: string,
  imageId: string,
): Promise<void> {
  const pin = await containers?.pins.of(name);
  if (pin?.reference === reference) return;
  await containers?.pins.set(name, { reference, imageId, previous: pin });
}
