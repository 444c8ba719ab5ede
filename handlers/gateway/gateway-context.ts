import type { EndpointDependencies } from '../../lib/mcp/endpoint.ts';
import type { GatewayContext } from './context.ts';

/** Comes to `gatewayContext` apart from the services. */
type Fact = 'reportInternal' | 'toolsPageSize' | 'version' | 'now' | 'gatewayId';

/** What `gatewayContext` reads of the services; whatever else they have stays out. */
export interface GatewayServices
  extends Omit<EndpointDependencies, Fact | 'metrics'>,
    Pick<GatewayContext, 'streams'> {
  readonly catalog: Pick<GatewayContext['catalog'], 'tools'>;
  readonly metrics: EndpointDependencies['metrics'] & GatewayContext['metrics'];
}

export interface GatewayFacts
  extends Pick<EndpointDependencies, Fact>,
    Pick<GatewayContext, 'service' | 'log'> {
  /** The upstreams know the stored servers too: a tool that is listed can be called. */
  readonly isLoaded: () => boolean;
}

/**
 * Member by member: a spread of the services would hand handlers the secrets, the registry and the container engine,
 * whatever their types say (SECURITY.md, Boundaries).
 */
export function gatewayContext(services: GatewayServices, facts: GatewayFacts): GatewayContext {
  const { log, version, now, gatewayId, toolsPageSize, reportInternal, isLoaded } = facts;
  const { defaultGroup, maxBodyBytes, notReadyBecause, notLoaded } = facts.service;
  const { groups, sessions, answerStreams, calls, upstreams, resourceUpdates, seenUris } = services;
  return {
    service: { defaultGroup, maxBodyBytes, notReadyBecause, notLoaded },
    log,
    streams: { open: services.streams.open },
    metrics: { render: services.metrics.render },
    catalog: { tools: services.catalog.tools, isLoaded },
    endpoint: {
      ...{ version, now, gatewayId, toolsPageSize, reportInternal },
      metrics: { countCall: services.metrics.countCall },
      groups: { isLoaded: groups.isLoaded, read: groups.read, renamedTo: groups.renamedTo },
      views: { read: services.views.read },
      sessions: {
        create: sessions.create,
        find: sessions.find,
        read: sessions.read,
        end: sessions.end,
        setLogLevel: sessions.setLogLevel,
      },
      clientChannels: { of: services.clientChannels.of },
      clientRequests: { take: services.clientRequests.take },
      answerStreams: {
        open: answerStreams.open,
        slowCallTimer: answerStreams.slowCallTimer,
        immediateTimer: answerStreams.immediateTimer,
      },
      calls: { begin: calls.begin, cancel: calls.cancel },
      upstreams: {
        request: upstreams.request,
        setLogLevel: upstreams.setLogLevel,
        rootsChanged: upstreams.rootsChanged,
      },
      seenUris: { note: seenUris.note, serverOf: seenUris.serverOf },
      resourceUpdates: { added: resourceUpdates.added, removed: resourceUpdates.removed },
    },
  };
}
