import { createKeyedMutex } from '../../async/mutex.ts';
import type { Queryable } from '../../database/database.ts';
import type { Log } from '../../log.ts';
import type { ContainerFacts, Containers } from '../containers.ts';
import { createImageDigests } from '../images/image-digests.ts';
import { createTaggedImagePins } from '../images/image-pins.ts';
import { createPresentImage, createWantedImage } from '../images/present-image.ts';
import { createContainerData } from './container-data.ts';
import { createContainerLogs } from './container-logs.ts';
import { createContainerRows } from './container-rows.ts';
import { createContainerStates } from './container-states.ts';
import type { ContainerStore } from './container-store.ts';
import { createEnsureContainer } from './ensure-container.ts';
import { createConfigHash, createFitsConfig } from './fits-config.ts';
import { createLeasedContainers } from './leased-containers.ts';
import { createMakeContainer } from './make-container.ts';
import { reapContainers, reapVolumes } from './reap-containers.ts';
import { createReplacements } from './replacements.ts';
import { createServerVolumes } from './server-volumes.ts';
import { createStopDetector } from './stop-detector.ts';
import { createVolumeRows } from './volume-rows.ts';

/**
 * The container store over a database and an engine. The database decides which containers are ours, the engine which
 * state they have. All changes to the containers of one server (or session) are serialized.
 */
export interface ContainerStoreOptions {
  readonly containers: Containers;
  readonly database: Queryable;
  /** For `createConfigHash`. */
  readonly hashKey: string;
  /** `status(server)` or `problem(server)` has changed. */
  readonly onStatus: (server: string) => void;
  /** Values to redact in the server's output; rejects while they are unknown. */
  readonly secretsOf: (server: string) => Promise<readonly string[]>;
  /** Whether an MCP session is alive; without this function only `reap` removes data of ended sessions. */
  readonly isSession?: (id: string) => Promise<boolean>;
  readonly log: Log;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

const refreshEveryMs = 5000;
const removalGraceSeconds = 2;

export function createContainerStore(options: ContainerStoreOptions): ContainerStore {
  const { containers, log, now = () => performance.now() } = options;
  const ended = new AbortController();
  const rows = createContainerRows(options.database);
  const states = createContainerStates(options);
  const stopDetector = createStopDetector(now);
  const mutex = createKeyedMutex();
  const hashOf = createConfigHash(options.hashKey);
  const volumeRows = createVolumeRows(options.database);
  const serverVolumes = createServerVolumes({ containers, rows: volumeRows });
  const pins = createTaggedImagePins(options);
  const digests = createImageDigests(options.database);
  const wantedImage = createWantedImage({ containers, pins });
  const fits = createFitsConfig({ containers, serverVolumes });
  const replacements = createReplacements({
    ...{ containers, rows, discard },
    expectEnd: stopDetector.expect,
    onProblem: options.onStatus,
  });
  const leased = createLeasedContainers({
    ...{ containers, stopDetector, replacements, now, log },
    turn: ({ server, sessionId }, work) => turn(server, sessionId, work),
    discard: discardWithScratch,
    onDiscarded: ({ server, sessionId }) => nameLast(server, sessionId),
  });
  const { isLeased } = leased;
  const ensure = createEnsureContainer({
    ...{ containers, rows, discard, hashOf, fits, isLeased, wantedImage, serverVolumes, replacements },
    make: createMakeContainer({ containers, rows, isLeased }),
    presentImage: createPresentImage({ ...options, pins, digests, ended: ended.signal }),
  });
  let timer: ReturnType<typeof setInterval> | undefined;

  const turn = <Result>(server: string, sessionId: string | undefined, work: () => Promise<Result>) =>
    mutex(`${server}\n${sessionId ?? ''}`, work);

  const isNeeded = ({ id, server }: ContainerFacts) => leased.isWanted(id) || ensure.isMakingFor(server);

  /** Its volumes stay. */
  async function discard(id: string): Promise<void> {
    stopDetector.expect(id);
    await containers.stop(id, removalGraceSeconds);
    await containers.remove(id);
    await rows.remove(id);
    leased.forget(id);
  }

  async function discardWithScratch(facts: ContainerFacts): Promise<void> {
    const { id, server, sessionId } = facts;
    await discard(id);
    await serverVolumes.removeScratch(facts);
    if (sessionId === undefined || options.isSession === undefined) return;
    if (!(await options.isSession(sessionId))) await serverVolumes.remove(server, sessionId);
  }

  async function nameLast(server: string, sessionId: string | undefined): Promise<void> {
    await ensure.renameLast(server, sessionId).then(states.refresh, () => {});
  }

  return {
    ...createContainerLogs({ ...options, states }),
    ...createContainerData({ ...options, rows, volumeRows, serverVolumes, wantedImage, fits, hashOf }),
    status: states.of,
    beginReplacing: replacements.beginReplacing,
    problem: replacements.problem,
    inherit: serverVolumes.inherit,
    async start() {
      await rows.load();
      containers.follow(
        (event) => {
          stopDetector.receive(event);
          states.receive(event);
        },
        () => {
          stopDetector.gap();
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
        leased.reserve(facts.id);
        return facts;
      }),
    acquire: (config, sessionId) =>
      turn(config.name, sessionId, async () => leased.lease(await ensure(config, sessionId))),
    async stop(server) {
      for (const { id } of rows.of(server)) {
        stopDetector.expect(id);
        await containers.stop(id);
      }
    },
    remove: (server) =>
      turn(server, undefined, async () => {
        const present = (await containers.list()).filter((facts) => facts.server === server);
        for (const facts of present) await serverVolumes.recordUnnamed(facts);
        for (const id of new Set([...rows.of(server), ...present].map((each) => each.id))) await discard(id);
        const volumes = await serverVolumes.remove(server);
        await pins.remove(server);
        replacements.forget(server);
        await states.refresh();
        return { containers: present.map(({ name }) => name), volumes };
      }),
    pinFound: (config) =>
      turn(config.name, undefined, async () => {
        const { name: server, image: reference } = config;
        const [row] = rows.of(server);
        if (reference === undefined || row === undefined || (await pins.of(server)) !== undefined) return;
        const facts = await containers.inspect(row.id);
        if (facts === undefined) return;
        await serverVolumes.recordUnnamed(facts);
        if (facts.reference === reference) {
          await pins.set(server, { reference, imageId: facts.imageId, previous: undefined });
        }
      }),
    async reap(listed, isSession) {
      await rows.load();
      const pinned = new Set((await pins.all()).keys());
      const wanted = { listed, pinned, isSession };
      const removed = await reapContainers({
        ...{ containers, rows, isNeeded, ...wanted },
        isWaiting: replacements.isWaiting,
        // The server may have been removed since the list was read; its row would then never be deleted.
        takeOver: ({ id, server, configHash }) =>
          turn(server, undefined, async () => {
            if (await containers.inspect(id))
              await rows.add({ id, server, sessionId: undefined, configHash });
          }),
        discard: (facts) =>
          turn(facts.server, facts.sessionId, async () => {
            if (isNeeded(facts)) return false;
            await serverVolumes.recordUnnamed(facts);
            await discardWithScratch(facts);
            await nameLast(facts.server, facts.sessionId);
            return true;
          }),
      });
      const { isMakingFor } = ensure;
      const volumes = await reapVolumes({ ...wanted, containers, rows: volumeRows, isMakingFor });
      return [...removed, ...volumes];
    },
    async close() {
      clearInterval(timer);
      ended.abort();
    },
  };
}
