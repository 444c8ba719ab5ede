import type { EndpointDependencies } from '../../lib/mcp/endpoint.ts';
import type { GatewayContext } from './context.ts';

/** What is told to `gatewayContext` beside the service's parts. */
type Told = 'reportInternal' | 'toolsPageSize' | 'version' | 'now' | 'gatewayId';

/** What `gatewayContext` reads of the service's parts; whatever else the parts hold stays out. */
export interface GatewayParts extends Omit<EndpointDependencies, Told>, Pick<GatewayContext, 'streams'> {
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
export function gatewayContext(parts: GatewayParts, facts: GatewayFacts): GatewayContext {
  const { service, log, version, now, gatewayId, toolsPageSize, reportInternal, isLoaded } = facts;
  const { request, setLogLevel, rootsChanged } = parts.upstreams;
  return {
    service,
    log,
    streams: parts.streams,
    metrics: parts.metrics,
    catalog: { tools: parts.catalog.tools, isLoaded },
    endpoint: {
      version,
      now,
      gatewayId,
      toolsPageSize,
      reportInternal,
      metrics: parts.metrics,
      groups: { isLoaded: parts.groups.isLoaded, read: parts.groups.read, renamedTo: parts.groups.renamedTo },
      views: parts.views,
      sessions: parts.sessions,
      callers: parts.callers,
      clientRequests: { take: parts.clientRequests.take },
      answerStreams: parts.answerStreams,
      calls: parts.calls,
      upstreams: { request, setLogLevel, rootsChanged },
      seenUris: parts.seenUris,
      resourceUpdates: parts.resourceUpdates,
    },
  };
}
