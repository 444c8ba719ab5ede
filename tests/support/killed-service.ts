/**
 * A real service on a real engine and a real Postgres, both behind proxies that hold one chosen request: so the service is
 * killed exactly between two steps, however fast they follow each other.
 */
import type { ContainerServices } from './container-services.ts';
import { startEngineProxy } from './engine-proxy.ts';
import { startPostgresProxy } from './postgres-proxy.ts';
import type { RunningService } from './run-service.ts';

/** The request that is not passed on any more when the service is killed. */
export type KillPoint =
  /** `METHOD /path?query`; the first such, or the `nth`. */
  | { readonly engine: RegExp; readonly nth?: number }
  /** A piece of the protocol that holds the text of a statement. */
  | { readonly database: RegExp };

export interface KilledService {
  readonly service: RunningService;
  /**
   * Begins `work` and kills the service when it comes to `point`; then starts it again. Rejects when it never came there.
   * What becomes of `work` is nobody's concern.
   */
  killAt(point: KillPoint, work: () => Promise<unknown>): Promise<void>;
  /** After the service. */
  close(): Promise<void>;
}

/** How long after its answer an act may come to a point: what is no longer needed goes then. */
const afterwardsMs = 15_000;

export async function openKilledService(
  services: ContainerServices,
  databaseUrl: string,
): Promise<KilledService> {
  const engine = await startEngineProxy();
  let hold: { readonly statement: RegExp; readonly reached: () => void } | undefined;
  let breakOff = () => {};
  const database = await startPostgresProxy(databaseUrl, (text) => {
    if (hold === undefined || !hold.statement.test(text)) return;
    hold.reached();
    hold = undefined;
    return new Promise((_, reject) => {
      breakOff = () => reject(new Error('the service is gone'));
    });
  });
  const service = await services.run({ database: database.url, env: { DOCKER_HOST: engine.host } });

  function reached(point: KillPoint): Promise<void> {
    if ('engine' in point) return engine.holdNext(point.engine, point.nth);
    return new Promise((resolve) => {
      hold = { statement: point.database, reached: resolve };
    });
  }

  return {
    service,
    async killAt(point, work) {
      const there = reached(point);
      const ended = work().then(
        (answer) => JSON.stringify(answer),
        (error: unknown) => String(error),
      );
      await comesTo(there, ended, point);
      await service.kill9();
      breakOff();
      await service.restart();
    },
    async close() {
      await engine.close();
      await database.close();
    },
  };
}

/** Resolves once it is there; rejects when it still is not, a while after the act has ended. */
async function comesTo(there: Promise<void>, ended: Promise<string>, point: KillPoint): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const missed = new Promise<never>((_, reject) => {
    void ended.then((outcome) => {
      if (isOver) return;
      const sentence = `It never came to ${JSON.stringify(Object.values(point).map(String))}: ${outcome}`;
      timer = setTimeout(() => reject(new Error(sentence)), afterwardsMs);
    });
  });
  try {
    await Promise.race([there, missed]);
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}
