import type { StoredServer } from '../../catalog/catalog.ts';
import { toFailure } from '../../failure.ts';
import type { Log } from '../../log.ts';
import type { Containers, ImageFacts } from '../containers.ts';
import type {
  AvailableDigests,
  AvailableUpdate,
  AvailableUpdateRow,
  AvailableUpdates,
} from './available-updates.ts';
import { digestsIn, type ImageDigests, shownDigest } from './image-digests.ts';
import type { ImagePin, ImagePins } from './image-pins.ts';

/**
 * Finds and shows newer images of servers in containers, and updates none by itself. An update is available when the
 * config's reference names another image than the server's, on this engine or at the registry. Registries are asked one
 * at a time and seldom; the next time is stored, so that frequent restarts cause no more requests.
 */
export interface ImageUpdates {
  /**
   * Updates the stored rows of these servers, and asks a due registry without waiting for its answer. Never rejects.
   */
  poll(servers: readonly Named[]): Promise<void>;
  /**
   * Asks the server's registry now. Rejects as `Containers.registryDigest`. No registry is asked, and the images of this
   * engine count, where a registry cannot know better: `pull: never`, a reference with a digest, an image built here.
   */
  check(server: Named): Promise<AvailableUpdate | undefined>;
  /** Records the digest of a pulled image as the registry's latest answer. Never rejects. */
  pulled(server: Named, facts: ImageFacts): Promise<void>;
}

type Named = Pick<StoredServer, 'name' | 'config'>;

export interface ImageUpdatesDependencies {
  readonly containers: Pick<Containers, 'image' | 'registryDigest'>;
  readonly pins: Pick<ImagePins, 'all' | 'of'>;
  readonly availableUpdates: AvailableUpdates;
  readonly digests: Pick<ImageDigests, 'record'>;
  /** `UPDATE_CHECK_HOURS`; 0: registries are asked by hand only. */
  readonly everyHours: number;
  /** The server's available update appeared, changed or disappeared. */
  readonly onAvailableUpdate: (server: string) => void;
  readonly log: Log;
}

const hourMs = 3_600_000;

/** A server's images as they are now. */
interface Situation {
  readonly server: Named;
  readonly reference: string;
  readonly pin: ImagePin;
  /** Undefined: the image is no longer on this engine. */
  readonly current: ImageFacts | undefined;
  readonly local: ImageFacts | undefined;
  readonly row: AvailableUpdateRow | undefined;
}

export function createImageUpdates(dependencies: ImageUpdatesDependencies): ImageUpdates {
  const { containers, pins, availableUpdates, digests, everyHours, onAvailableUpdate, log } = dependencies;
  const unanswered = new Set<string>();
  let asking: Promise<void> | undefined;
  /** After a pull, or without an answer, nothing new is expected soon. */
  const soonMs = Math.min(everyHours, 1) * hourMs;

  async function situationOf(
    server: Named,
    pin: ImagePin | undefined,
    row: AvailableUpdateRow | undefined,
  ): Promise<Situation | undefined> {
    const { image: reference } = server.config;
    if (reference === undefined || pin?.reference !== reference) return undefined;
    const [current, local] = await Promise.all([containers.image(pin.imageId), containers.image(reference)]);
    if (current) await digests.record(current, reference);
    return { server, reference, pin, current, local, row: row?.reference === reference ? row : undefined };
  }

  async function situations(servers: readonly Named[]): Promise<Situation[]> {
    const [pinned, rows] = await Promise.all([pins.all(), availableUpdates.all()]);
    const found: Situation[] = [];
    for (const server of servers) {
      const situation = await situationOf(server, pinned.get(server.name), rows.get(server.name));
      if (situation) found.push(situation);
    }
    return found;
  }

  /** @param answered The digest that the registry has just answered; undefined: its stored answer counts. */
  async function apply(
    situation: Situation,
    answered?: string,
    askInMs: number | undefined = situation.row ? undefined : soonMs,
  ): Promise<AvailableUpdate | undefined> {
    const { server, reference, row } = situation;
    const registryDigest = answered ?? row?.registryDigest;
    const offered = newer(situation, registryDigest);
    const isSame = isSameUpdate(row?.availableUpdate, offered);
    if (isSame && row?.registryDigest === registryDigest && askInMs === undefined)
      return row?.availableUpdate;
    const written = { server: server.name, reference, registryDigest, offered, askInMs };
    const { availableUpdate } = await availableUpdates.write(written);
    if (isSame) return availableUpdate;
    if (offered)
      log.info({ server: server.name, ...offered }, 'There is a newer image; the server keeps its own.');
    onAvailableUpdate(server.name);
    return availableUpdate;
  }

  /** One registry at a time, on behalf of all servers with the same reference. */
  async function ask(reference: string, sharing: readonly Situation[]): Promise<void> {
    const digest = await containers.registryDigest(reference).catch((error: unknown) => {
      const [write, message] = unanswered.has(reference)
        ? [log.debug, 'A registry still cannot be asked for a newer image.']
        : [log.info, 'A registry could not be asked for a newer image; that is tried again later.'];
      write.call(log, { image: reference, reason: toFailure(error).message }, String(message));
      unanswered.add(reference);
      return undefined;
    });
    if (digest !== undefined) unanswered.delete(reference);
    const askInMs = digest === undefined ? soonMs : everyHours * hourMs;
    const fresh = await situations(sharing.map(({ server }) => server));
    for (const situation of fresh) await apply(situation, digest, askInMs);
  }

  function askDue(known: readonly Situation[]): void {
    const due = known.find(({ row }) => row?.isDue);
    if (due === undefined || asking !== undefined || everyHours === 0) return;
    const { reference } = due;
    asking = ask(
      reference,
      known.filter((other) => other.reference === reference),
    )
      .catch((error: unknown) =>
        log.debug({ image: reference, error: String(error) }, 'An offer could not be stored.'),
      )
      .finally(() => {
        asking = undefined;
      });
  }

  async function situationNow(server: Named): Promise<Situation | undefined> {
    return (await situations([server]))[0];
  }

  return {
    async poll(servers) {
      try {
        const known = await situations(servers);
        for (const situation of known) await apply(situation);
        askDue(known.filter(isAskable));
      } catch (error) {
        log.debug({ reason: toFailure(error).message }, 'Newer images could not be looked for.');
      }
    },
    async check(server) {
      const situation = await situationNow(server);
      if (situation === undefined) return undefined;
      if (!isAskable(situation)) return await apply(situation);
      const digest = await containers.registryDigest(situation.reference);
      return await apply(situation, digest, Math.max(everyHours, 1) * hourMs);
    },
    async pulled(server, facts) {
      try {
        const situation = await situationNow(server);
        if (situation) await apply(situation, digestsIn(facts, situation.reference)[0]);
      } catch (error) {
        log.debug({ server: server.name, reason: toFailure(error).message }, 'An offer could not be stored.');
      }
    },
  };
}

/** Whether a registry could have another image. */
function isAskable({ server, reference, current }: Situation): boolean {
  const isFixed = server.config.pull === 'never' || reference.includes('@');
  return !isFixed && current !== undefined && digestsIn(current, reference).length > 0;
}

function newer(
  { reference, pin, current, local }: Situation,
  registryDigest: string | undefined,
): AvailableDigests | undefined {
  const own = current === undefined ? [] : digestsIn(current, reference);
  const oldDigest = own[0] ?? pin.imageId;
  if (registryDigest !== undefined && own.length > 0 && !own.includes(registryDigest)) {
    return { oldDigest, newDigest: registryDigest };
  }
  if (local === undefined || local.id === pin.imageId) return undefined;
  return { oldDigest, newDigest: shownDigest(local, reference) };
}

function isSameUpdate(one: AvailableUpdate | undefined, other: AvailableDigests | undefined): boolean {
  return one?.oldDigest === other?.oldDigest && one?.newDigest === other?.newDigest;
}
