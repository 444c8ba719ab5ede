import type { IRequestStrict } from 'itty-router';
import { referencesIn } from '../../../lib/config/references.ts';
import { Failure, toFailure } from '../../../lib/failure.ts';
import { success } from '../../../lib/http/responses.ts';
import type { ManagerContext } from '../context.ts';
import type { SecretsStatus } from './answers.ts';

/** `GET /api/servers/secrets-status`: the secrets method, and which names each server lacks. Never a value. */
export async function getSecretsStatus(
  _request: IRequestStrict,
  context: Pick<ManagerContext, 'secrets' | 'catalog'>,
): Promise<Response> {
  return success<SecretsStatus>(await secretsReport(context));
}

/**
 * The names of the secrets that each server lacks. While the method cannot be reached, servers lack all of theirs, and
 * `problem` says why.
 */
async function secretsReport({
  secrets,
  catalog,
}: Pick<ManagerContext, 'secrets' | 'catalog'>): Promise<SecretsStatus> {
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
