import type { EndpointDependencies } from '../../lib/mcp/endpoint.ts';
import type { GatewayContext } from './context.ts';

/** What is told to `gatewayContext` beside the service's parts. */
type Told = 'reportInternal' | 'toolsPageSize' | 'version' | 'now' | 'gatewayId';

/** What `gatewayContext` reads of the service's parts; whatever else the parts hold stays out. */
export interface GatewayServices extends Omit<EndpointDependencies, Told>, Pick<GatewayContext, 'streams'> {
  readonly catalog: Pick<GatewayContext['catalog'], 'tools'>;
}

export interface GatewayFacts
  extends Pick<EndpointDependencies, Told>,
    Pick<GatewayContext, 'service' | 'log'> {
  /** The upstreams know the stored servers too: a tool that is listed can be called. */
  readonly isLoaded: () => boolean;
}

/**
 * What handlers of the gateway set can reach when they run: member by member, since a spread of the parts would hand
 * them secrets, registry and container engine whatever their types say (SECURITY.md, Boundaries).
 */
export function gatewayContext(services: GatewayServices, facts: GatewayFacts): GatewayContext {
  const { service, log, version, now, gatewayId, toolsPageSize, reportInternal, isLoaded } = facts;
  const { request, setLogLevel, rootsChanged } = services.upstreams;
  return {
    service,
    log,
    streams: services.streams,
    metrics: services.metrics,
    catalog: { tools: services.catalog.tools, isLoaded },
    endpoint: {
      version,
      now,
      gatewayId,
      toolsPageSize,
      reportInternal,
      metrics: services.metrics,
      groups: {
        isLoaded: services.groups.isLoaded,
        read: services.groups.read,
        renamedTo: services.groups.renamedTo,
      },
      views: services.views,
      sessions: services.sessions,
      clientChannels: services.clientChannels,
      clientRequests: { take: services.clientRequests.take },
      answerStreams: services.answerStreams,
      calls: services.calls,
      upstreams: { request, setLogLevel, rootsChanged },
      seenUris: services.seenUris,
      resourceUpdates: services.resourceUpdates,
    },
  };
}
