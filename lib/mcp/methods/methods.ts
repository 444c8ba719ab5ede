import { gatewayIdIn } from '../../json-rpc/gateway-path.ts';
import { resultText } from '../../json-rpc/write.ts';
import { callTool, failedCall } from './call-tool.ts';
import { cancellable } from './cancellable.ts';
import { changeSubscription } from './change-subscription.ts';
import { complete } from './complete.ts';
import { getPrompt } from './get-prompt.ts';
import { listFeatures } from './list-features.ts';
import { listTools, passOn } from './list-tools.ts';
import { readResource } from './read-resource.ts';
import type { Method } from './scope.ts';
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
  ['prompts/list', listFeatures('prompts', 'promptsResult')],
  ['prompts/get', cancellable(getPrompt)],
  ['resources/list', listFeatures('resources', 'resourcesResult')],
  ['resources/templates/list', listFeatures('resources', 'templatesResult')],
  ['resources/read', cancellable(readResource)],
  ['resources/subscribe', cancellable(changeSubscription('added'))],
  ['resources/unsubscribe', cancellable(changeSubscription('removed'))],
  ['completion/complete', cancellable(complete)],
  ['logging/setLevel', setLogLevel],
]);
