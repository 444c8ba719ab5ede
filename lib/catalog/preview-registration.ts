import type { ProvisionWatch } from '../containers/provision-steps.ts';
import { canonicalText, parseServerConfig } from './parse-server-config.ts';
import { imagesOf, prepareServer } from './prepare-server.ts';
import { moveToSecrets } from './registered-secrets.ts';
import { describeRegistration, previewServer } from './registration.ts';
import type { Registration } from './registry.ts';
import type { RegistryParts } from './registry-parts.ts';
import type { ServerConfig } from './server-config.ts';
import { storable } from './store-tools.ts';

/** What `registerServer` would do. The server is started with the literals as they are, and stopped again. */
export async function previewRegistration(
  parts: RegistryParts,
  document: unknown,
  watch: ProvisionWatch,
): Promise<Registration> {
  const config = parseServerConfig(document, parts.callTimeoutMs);
  return parts.locks.exclusive(config.name, async () => {
    const moved = await moveToSecrets(parts, config);
    if (config.image !== undefined) {
      await imagesOf(parts).assertPossible();
      await imagesOf(parts).pull(config.image, watch);
    }
    const { candidate, missing } = await prepareServer(parts, config, watch);
    await candidate?.discard();
    const before = parts.catalog.server(config.name);
    return describeRegistration({
      server: await previewServer(moved.config, candidate && storable(candidate.tools), before),
      before,
      outcome: outcomeOf(parts, moved.config),
      missing,
    });
  });
}

/** What registering this config now amounts to. */
export function outcomeOf({ known }: RegistryParts, config: ServerConfig): Registration['outcome'] {
  const { name } = config;
  const current = known.current.get(name);
  if (!current) return 'registered';
  const isInFile = known.withFile.has(name) && !known.problems.has(name);
  return isInFile && canonicalText(current) === canonicalText(config) ? 'unchanged' : 'replaced';
}
