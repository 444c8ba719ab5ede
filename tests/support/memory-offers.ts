import { type JudgedOffers, judgeOffers } from '../../lib/catalog/judged-offers.ts';
import { toOfferList } from '../../lib/catalog/offer-rows.ts';
import type { Offers, ServerOffers } from '../../lib/catalog/offers.ts';
import { type OfferKind, offerKinds } from '../../lib/definitions/judge-offer.ts';
import type { Bus } from '../../lib/events/bus.ts';

/** What a test's server offers besides tools: each a name or URI, or a whole definition. */
export interface OfferContent {
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly instructions?: string;
  readonly prompts?: readonly string[];
  readonly resources?: readonly string[];
  readonly templates?: readonly string[];
}

export interface MemoryOffers extends Offers {
  /** As if the server had listed this, and tells everybody. */
  offer(server: string, content: OfferContent): void;
}

export const everyCapability = { prompts: {}, resources: { subscribe: true }, completions: {} };

/** Offers without a database, filled by hand. */
export function createMemoryOffers(bus: Bus): MemoryOffers {
  const known = new Map<string, JudgedOffers>();

  function put(server: string, offers: ServerOffers): void {
    known.set(server, judgeOffers(offers));
    bus.publish({ type: 'offers', name: server });
  }

  return {
    of: (server) => known.get(server)?.shown,
    problems: (server) => known.get(server)?.problems ?? [],
    load: async () => {},
    store: async (server, offers) => put(server, offers),
    close() {},
    offer: (server, content) =>
      put(server, {
        capabilities: JSON.stringify(content.capabilities ?? everyCapability),
        instructions: content.instructions,
        prompts: toOffers(content.prompts, 'prompts'),
        resources: toOffers(content.resources, 'resources'),
        templates: toOffers(content.templates, 'templates'),
      }),
  };
}

function toOffers(contents: readonly string[] = [], kind: OfferKind) {
  const definitions = contents.map((content) =>
    content.startsWith('{"')
      ? content
      : JSON.stringify({ name: content, [offerKinds[kind].key]: content, title: `T ${content}` }),
  );
  return toOfferList(definitions, kind);
}
