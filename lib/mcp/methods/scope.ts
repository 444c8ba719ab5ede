import type { CancelSignal } from '../../async/cancellation.ts';
import type { RequestMessage } from '../../json-rpc/message.ts';
import type { Session, Sessions } from '../../sessions/sessions.ts';
import type { Caller } from '../../upstreams/upstreams.ts';
import type { ActiveCalls } from '../calls/active-calls.ts';
import type { ResourceUpdates } from '../updates/resource-updates.ts';
import type { GroupView } from '../views/group-views.ts';
import type { ToolCallDependencies } from './call-tool.ts';

/** The text of the answer. Throws a Failure for what the caller did wrong. */
export type Method = (
  message: RequestMessage,
  scope: Scope,
  dependencies: MethodDependencies,
) => string | Promise<string>;

/** Whose request it is, and how it can be spoken to meanwhile. */
export interface Scope {
  readonly session: Session;
  readonly view: GroupView;
  /** Sends a message on the request's own stream; absent: the client cannot read one. */
  readonly emit: ((message: string) => void) | undefined;
  /** For servers that tell or ask something while they work on the request; absent as `emit` is. */
  readonly caller: Caller | undefined;
}

export interface CallScope extends Scope {
  readonly signal: CancelSignal;
}

export interface MethodDependencies extends ToolCallDependencies {
  readonly calls: ActiveCalls;
  readonly sessions: Pick<Sessions, 'setLogLevel'>;
  readonly toolsPageSize: number;
  /** Of this gateway, for those that it is a server of. */
  readonly gatewayId: () => string;
  readonly resourceUpdates: Pick<ResourceUpdates, 'added' | 'removed'>;
}
