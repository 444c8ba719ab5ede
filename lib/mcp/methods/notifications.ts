import { memberText } from '../../json/raw-json.ts';
import { idText, isId, type NotificationMessage } from '../../json-rpc/client-messages.ts';
import type { MethodDependencies, Scope } from './scope.ts';

/** Notifications of clients that mean something to us; all others are accepted and dropped (rule 6). */
export function takeNotification(
  message: NotificationMessage,
  { session }: Pick<Scope, 'session'>,
  { calls, upstreams }: Pick<MethodDependencies, 'calls' | 'upstreams'>,
): void {
  if (message.method === 'notifications/roots/list_changed') upstreams.rootsChanged(session.id);
  if (message.method !== 'notifications/cancelled') return;
  const id = message.params.requestId;
  if (isId(id)) calls.cancel(session.id, idText(id, memberText(message.text, 'params') ?? '', 'requestId'));
}
