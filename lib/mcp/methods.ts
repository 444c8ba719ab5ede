import type { Session, Sessions } from '../sessions/sessions.ts';
import type { Caller, CancelSignal } from '../upstreams/upstreams.ts';
import type { ActiveCalls } from './active-calls.ts';
import { resultText } from './answers.ts';
import { callTool, failedCall, type ToolCallDependencies } from './call-tool.ts';
import { cancellable } from './cancellable.ts';
import { changeSubscription } from './change-subscription.ts';
import { complete } from './complete.ts';
import { gatewayIdIn } from './gateway-path.ts';
import { getPrompt } from './get-prompt.ts';
import type { GroupView } from './group-views.ts';
import { listOffers } from './list-offers.ts';
import { listTools, passOn } from './list-tools.ts';
import type { RequestMessage } from './message.ts';
import { readResource } from './read-resource.ts';
import type { ResourceUpdates } from './resource-updates.ts';
import { setLogLevel } from './set-log-level.ts';

/** Every method of a live session, one line each. */
export const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['ping', (message) => resultText(message.id, '{}')],
  [
    'tools/list',
    (message, { session, view }, { toolsPageSize, gatewayId }) => {
      const isGateway = gatewayIdIn(session.clientCapabilities) !== undefined;
      const shown = isGateway ? passOn(view, gatewayId()) : view;
      return resultText(message.id, listTools(message.params, shown, toolsPageSize));
    },
  ],
  ['tools/call', cancellable(callTool, failedCall)],
  ['prompts/list', listOffers('prompts', 'promptsResult')],
  ['prompts/get', cancellable(getPrompt)],
  ['resources/list', listOffers('resources', 'resourcesResult')],
  ['resources/templates/list', listOffers('resources', 'templatesResult')],
  ['resources/read', cancellable(readResource)],
  ['resources/subscribe', cancellable(changeSubscription('added'))],
  ['resources/unsubscribe', cancellable(changeSubscription('removed'))],
  ['completion/complete', cancellable(complete)],
  ['logging/setLevel', setLogLevel],
]);

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
