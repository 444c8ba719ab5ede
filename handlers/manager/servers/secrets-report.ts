import { referencesIn } from '../../../lib/config/references.ts';
import { Failure, toFailure } from '../../../lib/failure.ts';
import type { ManagerContext } from '../context.ts';

/**
 * Which secrets each server lacks now; names only. While the method is out of reach, it lacks them all, and
 * `problem` says why.
 */
export async function secretsReport({
  secrets,
  catalog,
}: Pick<ManagerContext, 'secrets' | 'catalog'>): Promise<Record<string, unknown>> {
  const [isReachable, found] = await Promise.all([secrets.isReachable(), secrets.names().catch(toFailure)]);
  const names = found instanceof Failure ? new Set<string>() : found;
  const servers = catalog
    .servers()
    .map(({ name, config }) => [name, { missing: referencesIn(config).filter((it) => !names.has(it)) }]);
  return {
    method: secrets.method,
    reachable: isReachable && found === names,
    ...(found instanceof Failure ? { problem: found.message } : {}),
    servers: Object.fromEntries(servers),
  };
}
