import type { ServerConfig } from '../../config/server-config.ts';
import type { SessionClients } from '../sessions/session-clients.ts';
import type { ClosePurpose, ServerEnd, Transport, TransportEvents } from '../transports/transport.ts';
import type { ClientChannel } from '../upstreams.ts';
import type { ServerNotifications } from './server-notifications.ts';

/** What a multiplexer works over, and who hears of what comes unasked. */
export interface MultiplexerOptions extends ServerNotifications {
  /** As written in the config file: what secrets it refers to is only known to the transport. */
  readonly config: Pick<ServerConfig, 'name' | 'timeouts' | 'limits'>;
  readonly open: (events: TransportEvents) => Transport;
  /** The one session that it serves; absent: any. */
  readonly sessionId?: string | undefined;
  /** Absent: nobody can be asked outside of calls. */
  readonly clients?: Pick<SessionClients, 'ask'> | undefined;
  /** The client of a call that waits for the connection. */
  readonly starter?: (() => ClientChannel | undefined) | undefined;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** One less than the first id; higher than all before where a server may still answer an earlier connection. */
  readonly lastId?: number;
  /** What becomes of the server when its end, or what it sends, ends this. */
  readonly closePurpose?: () => ClosePurpose;
  /** No further request can be taken. Called once, unless `fail` or `drain` came first. */
  readonly onEnd: (reason: string, end?: ServerEnd) => void;
  readonly onStderr: (chunk: string) => void;
  /** What came as a message and is none. */
  readonly onStray?: ((text: string) => void) | undefined;
}
