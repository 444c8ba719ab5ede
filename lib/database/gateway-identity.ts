import type { Database } from './database.ts';
import { readDeploymentId } from './deployment-id.ts';

/** The id that all processes on one database have in common, told to other gateways (`json-rpc/gateway-path.ts`). */
export interface GatewayIdentity {
  /** Once, before anything is served or connected. */
  load(): Promise<void>;
  /** Empty until it was read. */
  id(): string;
}

export function createGatewayIdentity(database: Database, newId: () => string): GatewayIdentity {
  let id = '';
  return {
    async load() {
      id = await readDeploymentId(database, newId);
    },
    id: () => id,
  };
}
