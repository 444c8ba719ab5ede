import type { Database, Queryable } from './database.ts';

/**
 * The id that all processes on one database share, stored by the first that reads it.
 * @param newId Made of lower-case letters and digits, since it becomes part of a network's name.
 */
export async function readDeploymentId(database: Queryable, newId: () => string): Promise<string> {
  await database.query('insert into deployment (id) values ($1) on conflict do nothing', [newId()]);
  const [row] = await database.query<{ id: string }>('select id from deployment');
  if (row === undefined) throw new Error('the deployment has no id');
  return row.id;
}

/**
 * The id in the labels of all our containers, volumes and networks: that of the deployment, or, at the first request,
 * that of objects left by an earlier database of this installation.
 * @param findLeft Finds the id of those objects.
 */
export async function readContainersDeployment(
  database: Queryable,
  newId: () => string,
  findLeft: () => Promise<string | undefined>,
): Promise<string> {
  const id = await readDeploymentId(database, newId);
  const stored = await database.query<StoredDeployment>('select containers_id from deployment');
  const known = stored[0]?.containers_id;
  if (known) return known;
  const [row] = await database.query<StoredDeployment>(
    'update deployment set containers_id = coalesce(containers_id, $1) returning containers_id',
    [(await findLeft()) ?? id],
  );
  return row?.containers_id ?? id;
}

interface StoredDeployment {
  readonly containers_id: string | null;
}

/** The id that all processes on one database have in common, sent to other gateways (`json-rpc/gateway-path.ts`). */
export interface GatewayIdentity {
  /** Called once, before any request is served and any server connected. */
  load(): Promise<void>;
  /** Empty until it has been read. */
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
