import { createLogLines, type LogLines } from '../../upstreams/transports/log-lines.ts';
import type { ContainerFacts, Containers, LogStream } from '../containers.ts';
import type { ContainerStates } from './container-states.ts';
import type { ContainerStore } from './container-store.ts';

/**
 * The engine's log of a server's output, made safe to show: secrets redacted, control characters escaped. Nothing is
 * shown while the secrets to redact are unknown.
 */
export interface ContainerLogsOptions {
  readonly containers: Pick<Containers, 'logs' | 'followLogs'>;
  readonly states: Pick<ContainerStates, 'current'>;
  /** Rejects while the secrets are unknown. */
  readonly secretsOf: (server: string) => Promise<readonly string[]>;
}

export function createContainerLogs(
  options: ContainerLogsOptions,
): Pick<ContainerStore, 'logs' | 'followLogs'> {
  const { containers, states, secretsOf } = options;

  async function emptyLines(server: string): Promise<LogLines> {
    const lines = createLogLines();
    lines.hide(await secretsOf(server));
    return lines;
  }

  return {
    async logs(server, tail) {
      const facts = states.current(server);
      if (facts === undefined) return [];
      const lines = await emptyLines(server);
      for (const line of await containers.logs(facts.id, tail, streamOf(facts))) lines.add(line);
      return lines.tail(tail);
    },
    async followLogs(server, onLine, signal) {
      const facts = states.current(server);
      if (facts === undefined) return;
      const lines = await emptyLines(server);
      lines.follow(onLine);
      await containers.followLogs(facts.id, streamOf(facts), lines.add, signal);
    },
  };
}

/** The output of a stdio server is its protocol, which is never shown. */
function streamOf({ port }: ContainerFacts): LogStream {
  return port === undefined ? 'besides-protocol' : 'all';
}
