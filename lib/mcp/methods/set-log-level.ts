import { Failure } from '../../failure.ts';
import type { RequestMessage } from '../../json-rpc/client-messages.ts';
import { isLogLevel, logLevels } from '../../json-rpc/log-level.ts';
import { resultText } from '../../json-rpc/write.ts';
import { shownServers } from '../views/group-views.ts';
import type { MethodDependencies, Scope } from './scope.ts';

/**
 * `logging/setLevel` (2025-11-25 server/utilities/logging; docs/protocol.md, rule 44): the level is stored with the
 * session, for every process, and set on the servers behind the group, which may have to log more.
 */
export async function setLogLevel(
  message: RequestMessage,
  { session, view }: Scope,
  { sessions, upstreams }: Pick<MethodDependencies, 'sessions' | 'upstreams'>,
): Promise<string> {
  const { level } = message.params;
  if (!isLogLevel(level)) {
    throw new Failure('invalid_params', `\`params.level\` must be one of ${logLevels.join(', ')}.`);
  }
  await sessions.setLogLevel(session.id, level);
  for (const server of shownServers(view)) upstreams.setLogLevel(server, session.id, level);
  return resultText(message.id, '{}');
}
