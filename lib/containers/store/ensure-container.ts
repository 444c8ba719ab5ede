import type { ServerConfig } from '../../config/server-config.ts';
import { Failure } from '../../failure.ts';
import {
  containerName,
  hasOtherName,
  isRetiredName,
  isTryOutName,
  spareName,
  tryOutName,
} from '../container-names.ts';
import type { ContainerFacts, Containers, ImageFacts } from '../containers.ts';
import type { PresentImage, WantedImage } from '../images/present-image.ts';
import { type ContainerRows, takeOverLeft } from './container-rows.ts';
import type { ConfigHash, FitsConfig } from './fits-config.ts';
import { containerSpec, type MakeContainer } from './make-container.ts';
import type { Replacements } from './replacements.ts';
import type { ServerVolumes } from './server-volumes.ts';

/**
 * The container that fits a config: the present one, or a new one. A container that no longer fits is replaced
 * (`replacements.ts`); a leased one continues until its connection ends, and the new one has another name until then.
 * Calls for one server or session must not overlap.
 */
export interface EnsureContainer {
  (config: ServerConfig, sessionId: string | undefined): Promise<ContainerFacts>;
  /** The engine may have a container or volume of the server without a row. */
  readonly isMakingFor: (server: string) => boolean;
  /** Gives the newer container the server's name once the older one is removed. */
  readonly renameLast: (server: string, sessionId: string | undefined) => Promise<void>;
}

export interface EnsureContainerOptions {
  readonly containers: Containers;
  readonly rows: ContainerRows;
  readonly make: MakeContainer;
  readonly wantedImage: WantedImage;
  readonly presentImage: PresentImage;
  readonly serverVolumes: ServerVolumes;
  readonly replacements: Replacements;
  readonly fits: FitsConfig;
  readonly hashOf: ConfigHash;
  readonly isLeased: (id: string) => boolean;
  readonly discard: (id: string) => Promise<void>;
}

/** The container wanted. */
interface Wanted {
  readonly config: ServerConfig;
  readonly sessionId: string | undefined;
  readonly hash: string;
  readonly imageId: string | undefined;
  /** Another container of the server is leased. */
  readonly isSecond: boolean;
}

const unusable: readonly ContainerFacts['status'][] = ['dead', 'removing'];

export function createEnsureContainer(options: EnsureContainerOptions): EnsureContainer {
  const { containers, rows, isLeased, discard, replacements, serverVolumes, fits } = options;
  const making = new Map<string, number>();

  const rowsOf = (server: string, sessionId: string | undefined) =>
    rows.of(server).filter((row) => row.sessionId === sessionId);

  /** The usable containers of the server or session; unusable ones are removed unless leased. */
  async function presentOf(server: string, sessionId: string | undefined): Promise<ContainerFacts[]> {
    // Another process may have created one while it owned the containers.
    if (rowsOf(server, sessionId).length === 0) await rows.load();
    if (!sessionId && rowsOf(server, sessionId).length === 0) await takeOverLeft(options, server);
    const present: ContainerFacts[] = [];
    for (const row of rowsOf(server, sessionId)) {
      const facts = await containers.inspect(row.id);
      if (facts !== undefined && !unusable.includes(facts.status)) present.push(facts);
      else if (!isLeased(row.id)) await discard(row.id);
    }
    return present;
  }

  async function create(wanted: Wanted, name: string, before?: ContainerFacts): Promise<ContainerFacts> {
    const { config, sessionId, hash, isSecond } = wanted;
    making.set(config.name, (making.get(config.name) ?? 0) + 1);
    try {
      const image = await options.presentImage(config, wanted.imageId);
      const scratchFor = scratchOf(config, sessionId, name);
      if (isSecond && scratchFor === undefined && keepsData(config, image)) throw inUse(config.name);
      const mounts = await serverVolumes.mountsFor({
        ...{ config, sessionId, before, scratchFor },
        declared: image.volumes,
      });
      const identity = { name, sessionId, configHash: hash, image: image.id, mounts };
      return await options.make(containerSpec(config, identity));
    } finally {
      making.set(config.name, (making.get(config.name) ?? 1) - 1);
    }
  }

  async function tryOut(
    wanted: Wanted,
    free: readonly ContainerFacts[],
    name: string,
  ): Promise<ContainerFacts> {
    return (await firstThat(free, (each) => fits(each, wanted))) ?? create(wanted, tryOutName(name));
  }

  /** The container to continue with: it fits, or must not be replaced. */
  async function chosenOf(
    free: readonly ContainerFacts[],
    wanted: Wanted,
  ): Promise<ContainerFacts | undefined> {
    const { config, sessionId, hash } = wanted;
    const fitting = await firstThat(free, (each) => fits(each, wanted));
    const [before] = free;
    if (fitting === undefined && before !== undefined && !isThrownAway(config, sessionId)) {
      if ((await replacements.reasonToKeep(before, hash)) !== undefined) return before;
    }
    replacements.clearProblem(config.name, sessionId);
    return fitting;
  }

  async function renameLast(server: string, sessionId: string | undefined): Promise<void> {
    const present = await Promise.all(rowsOf(server, sessionId).map(({ id }) => containers.inspect(id)));
    const [facts, ...others] = present.filter((each) => each !== undefined && !isTryOutName(each.name));
    if (facts === undefined || others.length > 0 || !hasOtherName(facts.name)) return;
    await containers.rename(facts.id, await containerName(server, sessionId));
  }

  async function replace(
    wanted: Wanted,
    free: readonly ContainerFacts[],
    name: string,
  ): Promise<ContainerFacts> {
    const [before] = free;
    try {
      return await create(wanted, wanted.isSecond ? spareName(name) : name, before);
    } catch (error) {
      if (before && !wanted.isSecond) await replacements.bringBack(before).catch(() => {});
      throw error;
    }
  }

  async function ensure(config: ServerConfig, sessionId: string | undefined): Promise<ContainerFacts> {
    const isTryOut = config.isTryOut === true;
    const present = await presentOf(config.name, sessionId);
    const all = present.filter((facts) => isTryOutName(facts.name) === isTryOut);
    const free = all.filter(({ id }) => !isLeased(id)).sort(likeliestFirst);
    const wanted = {
      ...{ config, sessionId, isSecond: free.length < all.length },
      hash: await options.hashOf(config),
      imageId: await options.wantedImage(config, present),
    };
    const name = await containerName(config.name, sessionId);
    if (isTryOut) return await tryOut(wanted, free, name);
    const chosen = await chosenOf(free, wanted);
    for (const each of free) if (each !== chosen) await replacements.retire(each);
    if (chosen === undefined) return await replace(wanted, free, name);
    await serverVolumes.recordUnnamed(chosen).catch(() => {});
    // The service ended between the removal of the older one and this step, or the newer one failed.
    if (wanted.isSecond || !hasOtherName(chosen.name)) return chosen;
    await containers.rename(chosen.id, name);
    return { ...chosen, name };
  }

  return Object.assign(ensure, {
    isMakingFor: (server: string) => (making.get(server) ?? 0) > 0,
    renameLast,
  });
}

/** A container without persistent data: it lists the tools of a stateful server, or tests a candidate's config. */
function isThrownAway({ isTryOut, sessionMode }: ServerConfig, sessionId: string | undefined): boolean {
  return isTryOut === true || (sessionMode === 'stateful' && sessionId === undefined);
}

function scratchOf(config: ServerConfig, sessionId: string | undefined, name: string): string | undefined {
  if (!isThrownAway(config, sessionId)) return undefined;
  return isTryOutName(name) ? name : tryOutName(name);
}

function keepsData({ volumes }: ServerConfig, image: ImageFacts): boolean {
  return (
    image.volumes.length > 0 || volumes.some(({ source, readOnly }) => source === undefined || !readOnly)
  );
}

function inUse(server: string): Failure {
  const sentence = `The container of \`${server}\` is still in use, and no second one may be on its data; try again shortly.`;
  return new Failure('conflict', sentence);
}

/** A retired container is the last resort. */
function likeliestFirst(a: ContainerFacts, b: ContainerFacts): number {
  const rank = ({ name }: ContainerFacts) => (isRetiredName(name) ? 2 : hasOtherName(name) ? 1 : 0);
  return rank(a) - rank(b);
}

async function firstThat<Item>(items: readonly Item[], test: (item: Item) => Promise<boolean>) {
  for (const item of items) if (await test(item)) return item;
  return undefined;
}
