import type { IRequestStrict } from 'itty-router';
import { withTimeout } from '../../../lib/async/wait.ts';
import { success } from '../../../lib/http/responses.ts';
import { latestProtocolVersion } from '../../../lib/json-rpc/protocol-versions.ts';
import type { ManagerContext } from '../context.ts';
import type { ServiceStatus } from './answers.ts';

const secretsLimitMs = 2_000;

/** `GET /api/status`: addresses, places and faults. Answers regardless of faults. */
export async function getStatus(
  _request: IRequestStrict,
  context: Pick<
    ManagerContext,
    'service' | 'problems' | 'secrets' | 'registry' | 'isAdministrator' | 'mayTry'
  >,
): Promise<Response> {
  const { service, problems, secrets } = context;
  const [database, engine, isReachable] = await Promise.all([
    problems.database(),
    problems.engine(),
    withTimeout(secrets.isReachable(), secretsLimitMs, () => false),
  ]);
  return success<ServiceStatus>({
    version: service.version,
    default_group: service.defaultGroup,
    gateway_url: service.gatewayUrl(),
    manager_url: service.managerUrl(),
    groups_dir: service.groupsDir,
    gateway_command: service.gatewayCommand(),
    commands_allowed: context.isAdministrator,
    protocol_version: latestProtocolVersion,
    tries_allowed: context.mayTry,
    database: part(database),
    engine: part(engine),
    configs: part(context.registry.folderProblem()),
    secrets: { method: secrets.method, reachable: isReachable },
  });
}

function part(reason: string | undefined): { ok: boolean; reason: string | undefined } {
  return { ok: reason === undefined, reason };
}
