import type { Queryable } from '../database/database.ts';
import { createInTurnByName } from '../in-turn.ts';
import type { Log } from '../observe/log.ts';
import type { ClosePurpose } from '../upstreams/transport.ts';
import { createConfigHash } from './config-hash.ts';
import { createContainerData } from './container-data.ts';
import type { ContainerKeeper, HeldContainer } from './container-keeper.ts';
import { createContainerLogs } from './container-logs.ts';
import { createContainerRows } from './container-rows.ts';
import { createContainerStates } from './container-states.ts';
import type { ContainerFacts, Containers } from './containers.ts';
import { createEndWatch } from './end-watch.ts';
import { createEnsureContainer } from './ensure-container.ts';
import { createImagePins } from './image-pins.ts';
import { createMakeContainer } from './make-container.ts';
import { reapContainers } from './reap-containers.ts';
import { createVolumeRows } from './volume-rows.ts';

/**
 * The keeper over a database and an engine. What is stored says which containers are ours to touch; what the engine
 * says of them wins. All changes to the containers of one server (or session) happen one after the other.
 */
export interface ContainerKeeperOptions {
  readonly containers: Containers;
  readonly database: Queryable;
  /** For `createConfigHash`. */
  readonly hashKey: string;
  /** `status(server)` is another one now. */
  readonly onStatus: (server: string) => void;
  /** Values to be blotted out of what the server wrote; rejects while they are not known. */
  readonly secretsOf: (server: string) => Promise<readonly string[]>;
  readonly log: Log;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

const refreshEveryMs = 5000;
/** Between being ensured and being acquired, and then some. */
const reservedMs = 60_000;
const removalGraceSeconds = 2;

export function createContainerKeeper(options: ContainerKeeperOptions): ContainerKeeper {
  const { containers, log, now = () => performance.now() } = options;
  const ended = new AbortController();
  const rows = createContainerRows(options.database);
  const states = createContainerStates(options);
  const endWatch = createEndWatch(now);
  const inTurn = createInTurnByName();
  const held = new Set<string>();
  const isHeld = (id: string) => held.has(id);
  const reservedUntil = new Map<string, number>();
  const hashOf = createConfigHash(options.hashKey);
  const volumeRows = createVolumeRows(options.database);
  const pins = createImagePins(options.database);
  const ensure = createEnsureContainer({
    ...{ containers, rows, pins, discard, hashOf },
    make: createMakeContainer({ containers, rows, isHeld, ended: ended.signal }),
    isHeld,
  });
  let timer: ReturnType<typeof setInterval> | undefined;

  const turn = <Result>(server: string, sessionId: string | undefined, work: () => Promise<Result>) =>
    inTurn(`${server}\n${sessionId ?? ''}`, work);

  const isNeeded = ({ id, name }: ContainerFacts) =>
    isHeld(id) || ensure.isBeingMade(name) || (reservedUntil.get(id) ?? 0) > now();

  async function discard(id: string): Promise<void> {
    endWatch.expect(id);
    await containers.stop(id, removalGraceSeconds);
    await containers.remove(id);
    await rows.remove(id);
    reservedUntil.delete(id);
  }

  function hold(facts: ContainerFacts): HeldContainer {
    const { id, server, sessionId } = facts;
    held.add(id);
    reservedUntil.delete(id);
    return {
      facts,
      staysDown: () => endWatch.staysDown(id),
      async release(purpose) {
        if (purpose === 'let-go') held.delete(id);
        else await turn(server, sessionId, () => settle(facts, purpose));
      },
    };
  }

  async function settle({ id, server, sessionId }: ContainerFacts, purpose: ClosePurpose): Promise<void> {
    try {
      if (purpose === 'stop') await containers.stop(id);
      else await discard(id);
    } catch (error) {
      log.warn(
        { server, container: id, error },
        'A container could not be stopped; that is tried again later.',
      );
    }
    held.delete(id);
    if (purpose === 'discard') await nameNewer(server, sessionId);
  }

  async function nameNewer(server: string, sessionId: string | undefined): Promise<void> {
    await ensure.renameSpare(server, sessionId).then(states.refresh, () => {});
  }

  return {
    ...createContainerLogs({ ...options, states }),
    ...createContainerData({ ...options, rows, volumeRows, pins, hashOf }),
    status: states.of,
    async start() {
      await rows.load();
      containers.follow(
        (event) => {
          endWatch.take(event);
          states.take(event);
        },
        () => {
          endWatch.gap();
          void states.refresh();
        },
        ended.signal,
      );
      timer = setInterval(() => void states.refresh(), refreshEveryMs);
      await states.refresh();
    },
    ensure: (config, sessionId) =>
      turn(config.name, sessionId, async () => {
        const facts = await ensure(config, sessionId);
        reservedUntil.set(facts.id, now() + reservedMs);
        return facts;
      }),
    acquire: (config, sessionId) =>
      turn(config.name, sessionId, async () => hold(await ensure(config, sessionId))),
    async stop(server) {
      for (const { id } of rows.of(server)) {
        endWatch.expect(id);
        await containers.stop(id);
      }
    },
    remove: (server) =>
      turn(server, undefined, async () => {
        const present = (await containers.list()).filter((facts) => facts.server === server);
        for (const id of new Set([...rows.of(server), ...present].map((each) => each.id))) await discard(id);
        const volumes = await volumeRows.of(server);
        for (const volume of volumes) {
          await containers.removeVolume(volume.volume);
          await volumeRows.remove(volume);
        }
        await pins.remove(server);
        await containers.dropImage(server);
        await states.refresh();
        return { containers: present.map(({ name }) => name), volumes: volumes.map(({ volume }) => volume) };
      }),
    async reap(listed, isSession) {
      await rows.load();
      return await reapContainers({
        ...{ containers, rows, isNeeded, listed, isSession },
        discard: (facts) =>
          turn(facts.server, facts.sessionId, async () => {
            if (isNeeded(facts)) return false;
            await discard(facts.id);
            await nameNewer(facts.server, facts.sessionId);
            return true;
          }),
      });
    },
    async close() {
      clearInterval(timer);
      ended.abort();
    },
  };
}
