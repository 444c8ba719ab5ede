import pRetry, { AbortError } from 'p-retry';
import { createInTurn } from '../async/in-turn.ts';
import type { Database } from '../database/database.ts';
import { tellProblems } from '../definitions/some-problems.ts';
import type { Bus } from '../events/bus.ts';
import type { Log } from '../log.ts';
import type { Catalog } from './catalog.ts';
import { type JudgedOffers, judgeOffers } from './judged-offers.ts';
import { readOffers, writeOffers } from './offer-rows.ts';
import type { Offer, Offers, ServerOffers } from './offers.ts';

/**
 * The offers over the database: written there first and then into memory, read from memory. Every process stores what
 * its own connections list; equal lists cost nothing. Rows of removed servers go with the catalog's row.
 */
export function createOffers(deps: {
  readonly database: Pick<Database, 'query'>;
  readonly catalog: Pick<Catalog, 'server'>;
  readonly bus: Bus;
  readonly log: Log;
}): Offers {
  const { database, catalog, bus, log } = deps;
  const known = new Map<string, JudgedOffers>();
  const newest = new Map<string, ServerOffers>();
  const ended = new AbortController();
  // What a read brought must not overtake a write that was acknowledged meanwhile.
  const inTurn = createInTurn();

  function adopt(server: string, offers: ServerOffers | undefined): void {
    const before = known.get(server);
    if (isSame(before?.own, offers)) return;
    const judged = offers && judgeOffers(offers);
    if (judged) known.set(server, judged);
    else known.delete(server);
    tellProblems(log, judged && { name: server, ...judged }, before && { name: server, ...before });
    bus.publish({ type: 'offers', name: server });
  }

  const load = () =>
    inTurn(async () => {
      const stored = await readOffers(database);
      for (const server of [...known.keys()]) if (!stored.has(server)) adopt(server, undefined);
      for (const [server, offers] of stored) adopt(server, offers);
    });
  const reload = (server: string) =>
    inTurn(async () => adopt(server, (await readOffers(database, server)).get(server)));
  const store = (server: string, offers: ServerOffers) =>
    inTurn(async () => {
      if (newest.get(server) !== offers) throw new AbortError('replaced by a newer list');
      if (!catalog.server(server) || isSame(known.get(server)?.own, offers)) return;
      await writeOffers(database, server, offers);
      adopt(server, offers);
    });
  const untilDone = (server: string | undefined, work: () => Promise<void>) =>
    pRetry(work, {
      retries: Number.POSITIVE_INFINITY,
      minTimeout: 250,
      maxTimeout: 5_000,
      unref: true,
      signal: ended.signal,
      onFailedAttempt: ({ attemptNumber }) => {
        if (attemptNumber === 1) log.warn({ server }, 'What servers offer waits for the database.');
      },
    }).catch(() => {});

  const unsubscribe = bus.subscribe((news, origin) => {
    if (news.type === 'offers' && origin === 'remote') void untilDone(news.name, () => reload(news.name));
    if (news.type === 'tools' && !catalog.server(news.name)) known.delete(news.name);
  });
  const ignoreGaps = bus.onGap(() => void untilDone(undefined, load));

  return {
    of: (server) => known.get(server)?.shown,
    problems: (server) => known.get(server)?.problems ?? [],
    load,
    async store(server, offers) {
      newest.set(server, offers);
      await untilDone(server, () => store(server, offers));
      if (newest.get(server) === offers) newest.delete(server);
    },
    close() {
      ended.abort();
      unsubscribe();
      ignoreGaps();
    },
  };
}

function isSame(one: ServerOffers | undefined, other: ServerOffers | undefined): boolean {
  if (!one || !other) return one === other;
  return (
    one.capabilities === other.capabilities &&
    one.instructions === other.instructions &&
    (one.problems ?? []).join('\n') === (other.problems ?? []).join('\n') &&
    isSameList(one.prompts, other.prompts) &&
    isSameList(one.resources, other.resources) &&
    isSameList(one.templates, other.templates)
  );
}

function isSameList(one: readonly Offer[], other: readonly Offer[]): boolean {
  return (
    one.length === other.length && one.every(({ definition }, at) => definition === other[at]?.definition)
  );
}
