import type { Endpoints } from '../../lib/openapi/endpoint.ts';
import { probeEndpoints } from '../probe-endpoints.ts';
import { groupEndpoints } from './groups/group-endpoints.ts';
import { groupToolsEndpoints } from './groups/group-tools-endpoints.ts';
import { imageEndpoints } from './images/image-endpoints.ts';
import { serverEndpoints } from './servers/server-endpoints.ts';
import { systemEndpoints } from './system/system-endpoints.ts';
import { toolEndpoints } from './tools/tool-endpoints.ts';

/** What the OpenAPI document says of the manager set; `routes.ts` has the same endpoints. */
export const managerEndpoints = {
  ...toolEndpoints,
  ...groupEndpoints,
  ...groupToolsEndpoints,
  ...serverEndpoints,
  ...imageEndpoints,
  ...systemEndpoints,
  ...probeEndpoints,
} satisfies Endpoints;
