import { judgeOffer, type OfferKind } from '../definitions/judge-offer.ts';
import type { Offer, ServerOffers } from './offers.ts';

/** What a server offers besides tools: its own definitions, and those that agents get. */
export interface JudgedOffers {
  /** What is stored, and compared to tell whether it changed. */
  readonly own: ServerOffers;
  readonly shown: ServerOffers;
  readonly problems: readonly string[];
}

export function judgeOffers(own: ServerOffers): JudgedOffers {
  const problems = [...(own.problems ?? [])];
  const judged = (kind: OfferKind): readonly Offer[] =>
    own[kind].flatMap((offer) => {
      const judgement = judgeOffer(kind, offer.definition);
      problems.push(...judgement.problems);
      if (judgement.leftOut) return [];
      return judgement.shown === offer.definition ? [offer] : [{ ...offer, definition: judgement.shown }];
    });
  const [prompts, resources, templates] = [judged('prompts'), judged('resources'), judged('templates')];
  return { own, shown: { ...own, prompts, resources, templates }, problems };
}
