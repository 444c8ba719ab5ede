import type { ManagerContext } from '../context.ts';
import { referencesIn } from '../upstreams/secret-references.ts';

/** Which secrets each server lacks now; names only. While the method is out of reach, it lacks them all. */
export async function secretsReport({
  secrets,
  catalog,
}: Pick<ManagerContext, 'secrets' | 'catalog'>): Promise<Record<string, unknown>> {
  const reachable = await secrets.isReachable();
  const names: ReadonlySet<string> = reachable ? await secrets.names() : new Set();
  const servers = catalog
    .servers()
    .map(({ name, config }) => [name, { missing: referencesIn(config).filter((it) => !names.has(it)) }]);
  return { method: secrets.method, reachable, servers: Object.fromEntries(servers) };
}
