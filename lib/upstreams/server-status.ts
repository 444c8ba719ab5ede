import { linesBefore } from './connection/failure-hints.ts';
import type { SupervisedConnection } from './connection/supervised-connection.ts';
import type { UpstreamStatus } from './upstreams.ts';

/** How a server is, of whose connections `main` is the one that lists its tools. */
export function statusOf(main: SupervisedConnection, all: readonly SupervisedConnection[]): UpstreamStatus {
  const serves = all.some((connection) => connection.state === 'connected');
  const missing = main.lastFailure?.details?.missing_variables;
  return {
    state: serves ? 'connected' : main.state,
    lastError: main.lastFailure?.message,
    lastErrorLines: linesBefore(main.lastFailure),
    connectedAt: main.connectedAt,
    missingVariables: Array.isArray(missing) ? missing : [],
    pid: main.live?.multiplexer.pid,
    callsInFlight: all.reduce((sum, connection) => sum + connection.callsInFlight, 0),
  };
}
