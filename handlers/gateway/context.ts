import type { Catalog } from '../../lib/catalog/catalog.ts';
import type { Log } from '../../lib/log.ts';
import type { EndpointDependencies } from '../../lib/mcp/endpoint.ts';
import type { EventStreams } from '../../lib/mcp/streams/event-streams.ts';
import type { Metrics } from '../../lib/observe/metrics.ts';
import type { ServiceInfo } from '../../lib/service-info.ts';

/**
 * What a handler of the gateway set is given: no way to Docker, secrets and registration, by type and when it runs
 * (`gateway-context.ts` makes it).
 */
export interface GatewayContext {
  readonly service: ServiceInfo;
  readonly catalog: Pick<Catalog, 'isLoaded' | 'tools'>;
  readonly endpoint: EndpointDependencies;
  readonly streams: EventStreams;
  readonly metrics: Metrics;
  readonly log: Log;
}
