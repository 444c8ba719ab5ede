import { canonicalText } from '../../config/parse-server-config.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import type { Registration } from '../registry.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';

/** What registering this config now amounts to. */
export function registrationOutcome(
  { known }: Pick<RegistryDependencies, 'known'>,
  config: ServerConfig,
): Registration['outcome'] {
  const { name } = config;
  const current = known.current.get(name);
  if (!current) return 'registered';
  const isSame = !known.problems.has(name) && canonicalText(current) === canonicalText(config);
  return isSame ? 'unchanged' : 'replaced';
}
