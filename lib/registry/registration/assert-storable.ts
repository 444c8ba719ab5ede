import type { RegistryDependencies } from '../registry-dependencies.ts';
import type { MovedSecrets } from '../secrets/registered-secrets.ts';
import { registrationOutcome } from './registration.ts';

/**
 * Called before anything is begun for a registration: where the config file is kept elsewhere, nothing is started that
 * would have to be undone.
 * @throws Failure `config_read_only`
 */
export async function assertStorable(
  { files, known }: Pick<RegistryDependencies, 'files' | 'known'>,
  { config, values }: MovedSecrets,
): Promise<void> {
  if (isInFile({ known }, config)) return;
  await files.assertWritable(config.name, config, [...values.keys()]);
}

/** Whether the file has this config, so that it is not written. */
export function isInFile(
  { known }: Pick<RegistryDependencies, 'known'>,
  config: MovedSecrets['config'],
): boolean {
  return registrationOutcome({ known }, config) === 'unchanged' && known.withFile.has(config.name);
}
