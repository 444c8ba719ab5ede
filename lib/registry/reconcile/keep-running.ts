import { withTimeout } from '../../async/wait.ts';
import type { ListedTool } from '../../catalog/catalog.ts';
import { missingVariablesIn, type RegistryDependencies } from '../registry-dependencies.ts';

/** A server that runs and does not answer for so long is hung: registering it again is what people do then. */
const longestListingMs = 10_000;

/**
 * The tools of a server whose container is the right one already: it is connected unless it is, and asked again. One that
 * runs without an answer is stopped and started; it is the same container afterwards.
 */
export async function keepRunning(
  { upstreams }: Pick<RegistryDependencies, 'upstreams'>,
  name: string,
): Promise<readonly ListedTool[]> {
  const listed = upstreams.relist(name).catch((error: unknown) => {
    if (missingVariablesIn(error)) throw error;
    return undefined;
  });
  return (await withTimeout(listed, longestListingMs, () => undefined)) ?? (await upstreams.restart(name));
}
