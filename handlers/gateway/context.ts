import type { Catalog } from '../../lib/catalog/catalog.ts';
import type { Log } from '../../lib/log.ts';
import type { EndpointDependencies } from '../../lib/mcp/endpoint.ts';
import type { EventStreams } from '../../lib/mcp/streams/event-streams.ts';
import type { Metrics } from '../../lib/observe/metrics.ts';
import type { ServiceInfo } from '../../lib/service-info.ts';

/**
 * What the handlers of the gateway set can reach, by type and at run time (`gateway-context.ts` makes it): nothing of
 * Docker, secrets and registration. A handler takes only the members that it uses.
 */
export interface GatewayContext {
  readonly service: Pick<ServiceInfo, 'defaultGroup' | 'maxBodyBytes' | 'notReadyBecause' | 'notLoaded'>;
  readonly catalog: Pick<Catalog, 'isLoaded' | 'tools'>;
  readonly endpoint: EndpointDependencies;
  readonly streams: Pick<EventStreams, 'open'>;
  readonly metrics: Pick<Metrics, 'render'>;
  readonly log: Log;
}

/** For the handlers that first assert that the service is ready. */
export type EntranceContext = Pick<GatewayContext, 'endpoint' | 'catalog' | 'service'>;
