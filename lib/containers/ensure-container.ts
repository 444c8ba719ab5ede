import type { ServerConfig } from '../catalog/server-config.ts';
import type { ConfigHash } from './config-hash.ts';
import { containerName, isSpareName, spareName } from './container-names.ts';
import type { ContainerRow, ContainerRows } from './container-rows.ts';
import type { ContainerFacts, Containers } from './containers.ts';
import type { ImagePins } from './image-pins.ts';
import type { MakeContainer } from './make-container.ts';

/**
 * The container that fits a config: the one that is there, or a new one. What no longer fits is removed first, unless
 * a connection holds it: then it goes on until that is done, and the new one has another name meanwhile. Work on one
 * server or session must not overlap.
 */
export interface EnsureContainer {
  (config: ServerConfig, sessionId: string | undefined): Promise<ContainerFacts>;
  /** The engine may have made it, but nobody knows its id yet. */
  readonly isBeingMade: (name: string) => boolean;
  /** Once the older one is gone, the newer one gets the name. */
  readonly renameSpare: (server: string, sessionId: string | undefined) => Promise<void>;
}

export interface EnsureContainerOptions {
  readonly containers: Containers;
  readonly rows: ContainerRows;
  readonly make: MakeContainer;
  readonly pins: Pick<ImagePins, 'of'>;
  readonly hashOf: ConfigHash;
  readonly isHeld: (id: string) => boolean;
  readonly discard: (id: string) => Promise<void>;
}

const unusable: readonly ContainerFacts['status'][] = ['dead', 'removing'];

export function createEnsureContainer(options: EnsureContainerOptions): EnsureContainer {
  const { containers, rows, make, pins, hashOf, isHeld, discard } = options;
  const beingMade = new Set<string>();

  const rowsOf = (server: string, sessionId: string | undefined) =>
    rows.of(server).filter((row) => row.sessionId === sessionId);

  /** An image that is no longer here is no reason to give up a container that is. */
  async function find(config: ServerConfig, free: readonly ContainerRow[], hash: string) {
    const imageId = config.imageId ?? (await containers.image(config.image ?? ''))?.id;
    let found: ContainerFacts | undefined;
    for (const row of free) {
      const facts = await containers.inspect(row.id);
      const isUsable = facts !== undefined && row.configHash === hash && !unusable.includes(facts.status);
      const isCurrent = imageId === undefined || facts?.imageId === imageId;
      if (found === undefined && isUsable && isCurrent) found = facts;
      else if (!config.isTryOut) await discard(row.id);
    }
    return found;
  }

  async function create(
    config: ServerConfig,
    identity: Parameters<MakeContainer>[1],
  ): Promise<ContainerFacts> {
    beingMade.add(identity.name);
    try {
      const facts = await containers.inspect(await make(config, identity));
      if (facts === undefined) throw new Error('a container was removed as soon as it was created');
      return facts;
    } finally {
      beingMade.delete(identity.name);
    }
  }

  async function renameSpare(server: string, sessionId: string | undefined): Promise<void> {
    const [row, ...others] = rowsOf(server, sessionId);
    const facts = row && others.length === 0 ? await containers.inspect(row.id) : undefined;
    if (facts === undefined || !isSpareName(facts.name)) return;
    await containers.rename(facts.id, await containerName(server, sessionId));
  }

  async function pinned(config: ServerConfig): Promise<ServerConfig> {
    if (config.imageId !== undefined) return config;
    const pin = await pins.of(config.name).catch(() => undefined);
    return pin === undefined || pin.reference !== config.image ? config : { ...config, imageId: pin.imageId };
  }

  async function ensure(given: ServerConfig, sessionId: string | undefined): Promise<ContainerFacts> {
    const config = await pinned(given);
    const configHash = await hashOf(config);
    // Another process may have made one while it owned the containers.
    if (rowsOf(config.name, sessionId).length === 0) await rows.load();
    const all = rowsOf(config.name, sessionId);
    const free = all.filter(({ id }) => !isHeld(id));
    const properName = await containerName(config.name, sessionId);
    const isSecond = free.length < all.length || config.isTryOut === true;
    const name = isSecond ? spareName(properName) : properName;
    const found = await find(config, free, configHash);
    // The service ended between removing the older one and this.
    if (found && !isSecond && isSpareName(found.name)) await renameSpare(config.name, sessionId);
    return found ?? (await create(config, { name, sessionId, configHash }));
  }

  return Object.assign(ensure, { isBeingMade: (name: string) => beingMade.has(name), renameSpare });
}
