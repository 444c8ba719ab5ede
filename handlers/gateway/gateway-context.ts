import type { EndpointDependencies } from '../../lib/mcp/endpoint.ts';
import { pick } from '../pick.ts';
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
    streams: pick(services.streams, 'open'),
    metrics: pick(services.metrics, 'render'),
    catalog: { tools: services.catalog.tools, isLoaded },
    endpoint: {
      ...{ version, now, gatewayId, toolsPageSize, reportInternal },
      metrics: pick(services.metrics, 'countCall'),
      groups: pick(groups, 'read', 'renamedTo'),
      views: pick(services.views, 'read'),
      sessions: pick(sessions, 'create', 'find', 'read', 'end', 'setLogLevel'),
      clientChannels: pick(services.clientChannels, 'of'),
      clientRequests: pick(services.clientRequests, 'take'),
      answerStreams: pick(answerStreams, 'open', 'slowCallTimer', 'immediateTimer'),
      calls: pick(calls, 'begin', 'cancel'),
      upstreams: pick(upstreams, 'request', 'setLogLevel', 'rootsChanged'),
      seenUris: pick(seenUris, 'record', 'serverOf'),
      resourceUpdates: pick(resourceUpdates, 'added', 'removed'),
    },
  };
}
