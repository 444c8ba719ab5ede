import { createLogLines, type LogLines } from '../../upstreams/transports/log-lines.ts';
import type { ContainerFacts, Containers, LogStream } from '../containers.ts';
import type { ContainerStates } from './container-states.ts';
import type { ContainerStore } from './container-store.ts';

/**
 * What the engine kept of a server's output, made fit to be shown: secrets blotted out, control characters escaped.
 * Nothing is shown while it is not known what is to be blotted out.
 */
export interface ContainerLogsOptions {
  readonly containers: Pick<Containers, 'logs' | 'followLogs'>;
  readonly states: Pick<ContainerStates, 'current'>;
  /** Rejects while they are not known. */
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

/** The output of a stdio server is its protocol, and nobody's to read. */
function streamOf({ port }: ContainerFacts): LogStream {
  return port === undefined ? 'besides-protocol' : 'all';
}
