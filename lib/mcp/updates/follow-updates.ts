import type { Catalog } from '../../catalog/catalog.ts';
import type { Bus } from '../../events/bus.ts';
import type { SessionSubscriptions } from '../../sessions/session-subscriptions.ts';
import type { RelayedServers } from '../../upstreams/relay/relayed-servers.ts';
import type { NotificationFeed } from '../../upstreams/sessions/session-clients.ts';
import type { Upstreams } from '../../upstreams/upstreams.ts';
import type { EventStreams } from '../streams/event-streams.ts';
import type { GroupViews } from '../views/group-views.ts';
import { createResourceUpdates, type ResourceUpdates } from './resource-updates.ts';

/** Connects the updates of resources with the notifications of servers and the open streams. */
export interface FollowUpdatesDependencies {
  readonly subscriptions: SessionSubscriptions;
  readonly upstreams: Pick<Upstreams, 'request' | 'endSession'>;
  readonly notificationFeed: Pick<NotificationFeed, 'listen'>;
  readonly streams: Pick<EventStreams, 'sendToSession' | 'onOpen'>;
  readonly views: Pick<GroupViews, 'read'>;
  readonly catalog: Pick<Catalog, 'server'>;
  /** The servers that other processes reach through this one. */
  readonly relayedServers: Pick<RelayedServers, 'has'>;
  readonly bus: Pick<Bus, 'subscribe' | 'publish' | 'onGap'>;
}

export function followUpdates(dependencies: FollowUpdatesDependencies): ResourceUpdates {
  const { subscriptions, upstreams, notificationFeed, streams, views, catalog, bus } = dependencies;
  const updates = createResourceUpdates({
    subscriptions,
    upstreams,
    bus,
    visibleUri(group, { server, uri }) {
      const features = views.read(group)?.features;
      return features?.capabilitiesOf(server).subscribe ? features.visibleUri(server, uri) : undefined;
    },
    send: (sessionId, message) => void streams.sendToSession(sessionId, message),
    mayHave: (group) => views.read(group)?.features.can.subscribe ?? false,
  });
  streams.onOpen(updates.opened);
  notificationFeed.listen((server, { method, text }, onlyTo) => {
    if (method !== 'notifications/resources/updated') return;
    // Only the process that owns a container is connected to it.
    const isForAll =
      catalog.server(server)?.config.image !== undefined || dependencies.relayedServers.has(server);
    updates.receive({ server, text, onlyTo, isForAll });
  });
  return updates;
}
