import type { CancelSignal } from '../../async/cancellation.ts';
import type { RequestMessage } from '../../json-rpc/client-messages.ts';
import type { Metrics } from '../../observe/metrics.ts';
import type { Session, Sessions } from '../../sessions/sessions.ts';
import type { ClientChannel, Upstreams } from '../../upstreams/upstreams.ts';
import type { ActiveCalls } from '../calls.ts';
import type { ResourceUpdates } from '../updates/resource-updates.ts';
import type { GroupView } from '../views/group-views.ts';
import type { SeenUris } from '../views/seen-uris.ts';

/** Returns the text of the answer. @throws Failure for a mistake of the caller. */
export type Method = (
  message: RequestMessage,
  scope: Scope,
  dependencies: MethodDependencies,
) => string | Promise<string>;

/** The session of a request, and the ways to its client until the answer. */
export interface Scope {
  readonly session: Session;
  readonly view: GroupView;
  /** Sends a message on the request's own stream; absent: the client cannot read one. */
  readonly emit: ((message: string) => void) | undefined;
  /** For servers that notify or ask while they work on the request; absent as `emit` is. */
  readonly clientChannel: ClientChannel | undefined;
}

export interface CallScope extends Scope {
  readonly signal: CancelSignal;
}

export interface ToolCallDependencies {
  readonly upstreams: Pick<Upstreams, 'request' | 'setLogLevel' | 'rootsChanged'>;
  readonly metrics: Pick<Metrics, 'countCall'>;
  readonly seenUris: SeenUris;
  readonly now: () => number;
}

export interface MethodDependencies extends ToolCallDependencies {
  readonly calls: Pick<ActiveCalls, 'begin' | 'cancel'>;
  readonly sessions: Pick<Sessions, 'setLogLevel'>;
  readonly toolsPageSize: number;
  /** The id of this gateway, for gateways that have it as a server. */
  readonly gatewayId: () => string;
  readonly resourceUpdates: Pick<ResourceUpdates, 'added' | 'removed'>;
}
