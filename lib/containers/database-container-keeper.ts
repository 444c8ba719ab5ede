import type { ServerConfig } from '../catalog/server-config.ts';
import type { Queryable } from '../database/database.ts';
import { createInTurnByName } from '../in-turn.ts';
import type { Log } from '../observe/log.ts';
import { createLogLines, type LogLines } from '../upstreams/log-lines.ts';
import type { ClosePurpose } from '../upstreams/transport.ts';
import { createConfigHash } from './config-hash.ts';
import type { ContainerKeeper, HeldContainer } from './container-keeper.ts';
import { containerName, isSpareName, spareName } from './container-names.ts';
import { type ContainerRow, createContainerRows } from './container-rows.ts';
import { createContainerStates } from './container-states.ts';
import type { ContainerFacts, Containers, LogStream } from './containers.ts';
import { createEndWatch } from './end-watch.ts';
import { createMakeContainer } from './make-container.ts';
import { reapContainers } from './reap-containers.ts';

/**
 * The keeper over a database and an engine. What is stored says which containers are ours to touch; what the engine
 * says wins over it. All changes to the containers of one server (or session) happen one after the other.
 */
export interface ContainerKeeperOptions {
  readonly containers: Containers;
  readonly database: Queryable;
  /** For `createConfigHash`. */
  readonly hashKey: string;
  /** `status(server)` is another one now. */
  readonly onStatus: (server: string) => void;
  /** Values to be blotted out of what the server wrote. */
  readonly secretsOf: (server: string) => Promise<readonly string[]>;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const refreshEveryMs = 5000;
/** Between being ensured and being acquired, and then some. */
const reservedMs = 60_000;
const removalGraceSeconds = 2;
const unusable: readonly ContainerFacts['status'][] = ['dead', 'removing'];

export function createContainerKeeper(options: ContainerKeeperOptions): ContainerKeeper {
  const { containers, log, now = Date.now } = options;
  const ended = new AbortController();
  const rows = createContainerRows(options.database);
  const states = createContainerStates(options);
  const endWatch = createEndWatch(now);
  const hashOf = createConfigHash(options.hashKey);
  const make = createMakeContainer({ containers, rows, ended: ended.signal });
  const inTurn = createInTurnByName();
  const held = new Set<string>();
  const reservedUntil = new Map<string, number>();
  /** Names under which containers are being created; what the engine has already made is not stored yet. */
  const beingMade = new Set<string>();
  let timer: ReturnType<typeof setInterval> | undefined;

  const turn = <Result>(server: string, sessionId: string | undefined, work: () => Promise<Result>) =>
    inTurn(`${server}\n${sessionId ?? ''}`, work);

  const rowsOf = (server: string, sessionId: string | undefined) =>
    rows.of(server).filter((row) => row.sessionId === sessionId);

  async function discard(id: string): Promise<void> {
    endWatch.expect(id);
    await containers.stop(id, removalGraceSeconds);
    await containers.remove(id);
    await rows.remove(id);
    reservedUntil.delete(id);
  }

  /** The one that fits; what does not is removed, unless it is held. */
  async function find(config: ServerConfig, free: readonly ContainerRow[], hash: string) {
    const image = await containers.image(config.image ?? '');
    let found: ContainerFacts | undefined;
    for (const row of free) {
      const facts = await containers.inspect(row.id);
      const isUsable = facts !== undefined && row.configHash === hash && !unusable.includes(facts.status);
      const isCurrent = image === undefined || facts?.imageId === image.id;
      if (found === undefined && isUsable && isCurrent) found = facts;
      else await discard(row.id);
    }
    return found;
  }

  async function ensure(config: ServerConfig, sessionId: string | undefined): Promise<ContainerFacts> {
    const hash = await hashOf(config);
    const all = rowsOf(config.name, sessionId);
    const free = all.filter(({ id }) => !held.has(id));
    const properName = await containerName(config.name, sessionId);
    const name = free.length < all.length ? spareName(properName) : properName;
    const facts =
      (await find(config, free, hash)) ?? (await create(config, { name, sessionId, configHash: hash }));
    // We ended while it was to follow another.
    if (name === properName && isSpareName(facts.name)) await renameSpare(config.name, sessionId);
    return facts;
  }

  async function create(config: ServerConfig, identity: Parameters<typeof make>[1]): Promise<ContainerFacts> {
    beingMade.add(identity.name);
    try {
      const facts = await containers.inspect(await make(config, identity));
      if (facts === undefined) throw new Error('a container was removed as soon as it was created');
      return facts;
    } finally {
      beingMade.delete(identity.name);
    }
  }

  /** Once the older one is gone, the newer one gets the name. */
  async function renameSpare(server: string, sessionId: string | undefined): Promise<void> {
    const [row, ...others] = rowsOf(server, sessionId);
    const facts = row && others.length === 0 ? await containers.inspect(row.id) : undefined;
    if (facts === undefined || !isSpareName(facts.name)) return;
    await containers.rename(facts.id, await containerName(server, sessionId));
    await states.refresh();
  }

  async function settle({ id, server, sessionId }: ContainerFacts, purpose: ClosePurpose): Promise<void> {
    try {
      if (purpose === 'stop') await containers.stop(id);
      else if (purpose === 'discard') await discard(id);
    } catch (error) {
      log.warn(
        { server, container: id, error },
        'A container could not be stopped; that is tried again later.',
      );
    }
    held.delete(id);
    if (purpose === 'discard') await renameSpare(server, sessionId).catch(() => {});
  }

  function hold(facts: ContainerFacts): HeldContainer {
    held.add(facts.id);
    reservedUntil.delete(facts.id);
    let releasing: Promise<void> | undefined;
    return {
      facts,
      staysDown: () => endWatch.staysDown(facts.id),
      release(purpose) {
        if (purpose === 'let-go') held.delete(facts.id);
        else releasing ??= turn(facts.server, facts.sessionId, () => settle(facts, purpose));
        return releasing ?? Promise.resolve();
      },
    };
  }

  async function logLines(server: string): Promise<LogLines> {
    const lines = createLogLines();
    lines.hide(await options.secretsOf(server));
    return lines;
  }

  const streamOf = ({ port }: ContainerFacts): LogStream => (port === undefined ? 'stderr' : 'both');
  const isNeeded = ({ id, name }: ContainerFacts) =>
    held.has(id) || beingMade.has(name) || (reservedUntil.get(id) ?? 0) > now();

  return {
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
    status: states.of,
    async stop(server) {
      for (const { id } of rows.of(server)) {
        endWatch.expect(id);
        await containers.stop(id);
      }
    },
    remove: (server) =>
      turn(server, undefined, async () => {
        const present = (await containers.list()).filter((facts) => facts.server === server);
        const ids = new Set([...rows.of(server), ...present].map(({ id }) => id));
        for (const id of ids) await discard(id);
        await states.refresh();
      }),
    async reap(listed, isSession) {
      return await reapContainers({
        ...{ containers, rows, isNeeded, listed, isSession },
        discard: ({ id, server, sessionId }) => turn(server, sessionId, () => discard(id)),
      });
    },
    async logs(server, tail) {
      const facts = states.current(server);
      if (facts === undefined) return [];
      const lines = await logLines(server);
      for (const line of await containers.logs(facts.id, tail, streamOf(facts))) lines.add(line);
      return lines.tail(tail);
    },
    async followLogs(server, onLine, signal) {
      const facts = states.current(server);
      if (facts === undefined) return;
      const lines = await logLines(server);
      lines.follow(onLine);
      await containers.followLogs(facts.id, streamOf(facts), lines.add, signal);
    },
    async close() {
      clearInterval(timer);
      ended.abort();
    },
  };
}
