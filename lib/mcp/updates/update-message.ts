import type { BusMessage } from '../../events/bus.ts';
import { replaceMembers } from '../../json/raw-json.ts';
import { notificationText } from '../../json-rpc/write.ts';
import type { Subscription } from '../../sessions/session-subscriptions.ts';

/** How `resources/updated` travels: between processes as news, and to clients as the notification. */
export interface UpdateMessage {
  readonly update: Subscription;
  /** The one session that it concerns; undefined: all that subscribed. */
  readonly onlyTo: string | undefined;
}

/** Names of servers and ids of sessions hold no space. */
export function toBusMessage({ update, onlyTo }: UpdateMessage): BusMessage {
  return { type: 'resource_updated', name: `${update.server} ${onlyTo ?? ''} ${update.uri}` };
}

export function fromBusMessage(name: string): UpdateMessage {
  const [server = '', onlyTo = '', ...rest] = name.split(' ');
  return { update: { server, uri: rest.join(' ') }, onlyTo: onlyTo || undefined };
}

/** @param uri As the client knows it. @param text The whole notification as the server sent it, where it is known. */
export function updatedText(uri: string, text?: string): string {
  const quoted = JSON.stringify(uri);
  if (text === undefined) return notificationText('notifications/resources/updated', `{"uri":${quoted}}`);
  return replaceMembers(text, 0, { params: (params) => replaceMembers(params, 0, { uri: quoted }) });
}
