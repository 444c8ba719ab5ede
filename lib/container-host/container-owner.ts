import type { Containers } from '../containers/containers.ts';
import { elsewhere } from '../containers/images/provision-steps.ts';
import type { Database } from '../database/database.ts';
import { withDatabaseTimeout } from '../database/database-fault.ts';
import type { Log } from '../log.ts';
import { clauseOf } from '../text/clause.ts';

/**
 * Decides which process holds the attachments of container servers: exactly one, since every attachment reads all of a
 * container's output. A row in the database is the lease, with the database's own times. While the database is away no
 * process can take over, so the owner stays the owner as long as it was awake all the time: a process that slept beyond
 * its lease (stopped, or held up) is not the owner until it has asked the database.
 */
export interface ContainerOwner {
  /** Takes the ownership if it is free, and keeps trying or renewing it. Never rejects. */
  start(): Promise<void>;
  /** According to the last answer of the database. */
  isOwner(): boolean;
  /** Called before a container is changed: asks the database where the lease has run out. Never rejects. */
  confirm(): Promise<boolean>;
  /** The process that is the owner now; undefined when no process is. */
  current(): Promise<OwnerAddress | undefined>;
  /** Gives up the ownership, so that another process can take it at once. */
  close(): Promise<void>;
}

export interface OwnerAddress {
  readonly processId: string;
  readonly url: string;
  readonly token: string;
}

export interface ContainerOwnerOptions {
  readonly database: Pick<Database, 'query'>;
  /**
   * The same for each start of one installation, which runs one process at a time: after a crash, the next process need
   * not wait for the lease to expire.
   */
  readonly processId: string;
  /** The address of this process for other processes. */
  readonly url: string;
  /** The key with which other processes authenticate; random for each process. */
  readonly token: string;
  readonly onChange: (isOwner: boolean) => void;
  /** Monotonic milliseconds, which continue while the process is stopped. */
  readonly now: () => number;
  readonly log: Log;
  readonly heartbeatMs?: number;
  readonly leaseMs?: number;
}

/** How long an owner that was awake waits for a hanging database before it continues without. */
const timeoutMs = 250;

export function createContainerOwner(options: ContainerOwnerOptions): ContainerOwner {
  const { database, processId, url, token, onChange, now, log } = options;
  const { heartbeatMs = 2000, leaseMs = 6000 } = options;
  let isOwner = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  let watch: ReturnType<typeof setInterval> | undefined;
  let beating: Promise<void> | undefined;
  let renewing: Promise<void> | undefined;
  /** When the last successful renewal began: the lease runs from then on, or slightly longer. */
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let awakeAt = now();
  let hasSlept = false;
  /** The lease of another process that had expired at the last renewal. */
  let expiredLease: string | undefined;

  /**
   * A lease is taken over when it was found expired twice: after an outage of the database all leases have expired, and
   * the owner gets the first chance to renew its own.
   */
  async function takeOrRenew(): Promise<boolean> {
    const [row] = await database.query<{ process_id: string }>(
      `insert into container_owner (process_id, url, token, expires_at)
       values ($1, $2, $3, now() + $4::int * interval '1 millisecond')
       on conflict (only_row) do update
         set process_id = excluded.process_id, url = excluded.url, token = excluded.token,
             expires_at = excluded.expires_at
         where container_owner.process_id = excluded.process_id
            or (container_owner.expires_at < now() and container_owner.expires_at::text = $5)
       returning process_id`,
      [processId, url, token, leaseMs, expiredLease ?? ''],
    );
    expiredLease = row ? undefined : await readExpiredLease();
    return row !== undefined;
  }

  async function readExpiredLease(): Promise<string | undefined> {
    const [row] = await database.query<{ lease: string }>(
      'select expires_at::text as lease from container_owner where expires_at < now()',
    );
    return row?.lease;
  }

  const hasLease = () => isOwner && now() - confirmedAt < leaseMs;

  function recordAwake(): void {
    if (now() - awakeAt >= leaseMs) hasSlept = true;
    awakeAt = now();
  }

  function isInDoubt(): boolean {
    recordAwake();
    return hasSlept && !hasLease();
  }

  /** Concurrent renewals share one. */
  function renew(): Promise<void> {
    renewing ??= renewOnce().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  async function renewOnce(): Promise<void> {
    const beganAt = now();
    try {
      const isOwnerNow = await takeOrRenew();
      if (isOwnerNow) confirmedAt = beganAt;
      become(isOwnerNow);
      // An answer that arrived before a sleep is out of date.
      if (now() - beganAt < leaseMs) hasSlept = false;
    } catch (error) {
      log.debug({ error }, 'The ownership of the containers could not be looked at.');
    }
  }

  async function confirm(): Promise<boolean> {
    if (!isOwner || hasLease()) return isOwner;
    // The pending renewal may have begun before a sleep.
    if (isInDoubt()) await renewing;
    if (isInDoubt()) await renew();
    else await withDatabaseTimeout(renew(), timeoutMs).catch(() => {});
    return isOwner && !isInDoubt();
  }

  async function beat(): Promise<void> {
    await renew();
    if (!isClosed) timer = setTimeout(beatSoon, heartbeatMs);
  }

  function beatSoon(): void {
    beating = beat();
  }

  function become(isOwnerNow: boolean): void {
    if (isOwnerNow === isOwner) return;
    isOwner = isOwnerNow;
    const who = isOwner ? 'This' : 'Another';
    log.info({ owner: isOwner }, `${who} process looks after the containers.`);
    onChange(isOwner);
  }

  return {
    isOwner: () => isOwner && !isInDoubt(),
    confirm,
    async start() {
      watch = setInterval(recordAwake, heartbeatMs);
      beatSoon();
      await beating;
    },
    async current() {
      const [row] = await database.query<{ process_id: string; url: string; token: string }>(
        'select process_id, url, token from container_owner where expires_at >= now()',
      );
      return row && { processId: row.process_id, url: row.url, token: row.token };
    },
    async close() {
      isClosed = true;
      clearInterval(watch);
      clearTimeout(timer);
      await beating;
      await renewing;
      clearTimeout(timer);
      await database.query('delete from container_owner where process_id = $1', [processId]).catch(() => {});
      isOwner = false;
    },
  };
}

/**
 * Why this process does not own the containers: another one does, or none can. Reasons continue "the server is
 * unavailable: …".
 */
export interface AbsentOwner {
  /** Asks the database and the engine. Never rejects. */
  reason(): Promise<string>;
  /**
   * The engine's problem that prevented the ownership, when last checked; undefined while another process is the owner.
   */
  known(): string | undefined;
}

export interface AbsentOwnerOptions {
  /** The process that is the owner now. */
  readonly current: () => Promise<{ readonly processId: string } | undefined>;
  readonly processId: string;
  readonly problem: Containers['problem'];
}

const nobody = 'no process looks after its container yet; try again in some seconds';

export function createAbsentOwner({ current, processId, problem }: AbsentOwnerOptions): AbsentOwner {
  let known: string | undefined;

  return {
    async reason() {
      const owner = await current().catch(() => undefined);
      const isElsewhere = owner !== undefined && owner.processId !== processId;
      const sentence = isElsewhere ? undefined : await problem();
      known = sentence && clauseOf(sentence);
      return isElsewhere ? elsewhere : (known ?? nobody);
    },
    known: () => known,
  };
}
