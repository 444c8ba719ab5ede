import { toOfferList } from '../../lib/catalog/offer-rows.ts';
import type { Offers, ServerOffers } from '../../lib/catalog/offers.ts';
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
  const known = new Map<string, ServerOffers>();

  function put(server: string, offers: ServerOffers): void {
    known.set(server, offers);
    bus.publish({ type: 'offers', name: server });
  }

  return {
    of: (server) => known.get(server),
    load: async () => {},
    store: async (server, offers) => put(server, offers),
    close() {},
    offer: (server, content) =>
      put(server, {
        capabilities: JSON.stringify(content.capabilities ?? everyCapability),
        instructions: content.instructions,
        prompts: toOffers(content.prompts, 'name'),
        resources: toOffers(content.resources, 'uri'),
        templates: toOffers(content.templates, 'uriTemplate'),
      }),
  };
}

function toOffers(contents: readonly string[] = [], keyMember: string) {
  const definitions = contents.map((content) =>
    content.startsWith('{"') ? content : JSON.stringify({ [keyMember]: content, title: `T ${content}` }),
  );
  return toOfferList(definitions, keyMember);
}
