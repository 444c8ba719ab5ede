import type { BusMessage } from '../../events/bus.ts';
import { replaceMembers } from '../../json/raw-json.ts';
import { notificationText } from '../../json-rpc/write.ts';
import type { Subscription } from '../../sessions/session-subscriptions.ts';

/** Stored in the database, and part of bus messages, which hold less than 7,000 bytes when every character is escaped. */
export const longestSubscribable = 2_048;

/** Whether a session can subscribe to this URI, and its updates can reach other processes. */
export function isSubscribable(uri: string): boolean {
  return !/\p{Cc}|\p{Surrogate}/u.test(uri) && new TextEncoder().encode(uri).length <= longestSubscribable;
}

/** The form of `resources/updated` between processes, as a bus message, and to clients, as the notification. */
export interface UpdateMessage {
  readonly update: Subscription;
  /** The only session concerned; undefined: all subscribers. */
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

/** @param uri The client's own. @param text The whole notification as the server sent it, when the server is connected here. */
export function updatedText(uri: string, text?: string): string {
  const quoted = JSON.stringify(uri);
  if (text === undefined) return notificationText('notifications/resources/updated', `{"uri":${quoted}}`);
  return replaceMembers(text, 0, { params: (params) => replaceMembers(params, 0, { uri: quoted }) });
}
