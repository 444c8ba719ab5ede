import type { JsonSchema } from '../lib/json/json-schema.ts';
import { type ApiFacts, createDocument } from '../lib/openapi/document.ts';
import { gatewayEndpoints } from './gateway/gateway-endpoints.ts';
import { managerEndpoints } from './manager/endpoints.ts';
import { probeEndpoints } from './probe-endpoints.ts';

/** The OpenAPI document of both sets. */
export function apiDocument(facts: ApiFacts): JsonSchema {
  const gateway = { ...gatewayEndpoints, ...probeEndpoints };
  return createDocument({ manager: managerEndpoints, gateway }, facts);
}
