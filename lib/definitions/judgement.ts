/**
 * What is to be said of one definition that a server listed: how agents get it, or that they do not, and every fault that
 * was found. A definition without a fault is shown as the very same string.
 */
export type Judgement = ShownDefinition | LeftOutDefinition;

export interface ShownDefinition {
  readonly leftOut?: undefined;
  /** Raw JSON text; the server's own, to the byte, but for what was repaired. */
  readonly shown: string;
  /** Whole sentences, one per fault, in the order of the definition. */
  readonly problems: readonly string[];
}

export interface LeftOutDefinition {
  readonly leftOut: true;
  /** One sentence: why. */
  readonly problems: readonly string[];
}

/** Told of in one definition; the rest are counted. */
const mostFaults = 5;

/** @param what Such as `The tool "x"`; each fault continues "its …". */
export function shownWith(shown: string, what: string, faults: readonly string[]): ShownDefinition {
  const told = faults.slice(0, mostFaults).map((fault) => `${what}: its ${fault}.`);
  const more = faults.length - told.length;
  return {
    shown,
    problems: more > 0 ? [...told, `${what}: ${more} more of its members were mended.`] : told,
  };
}

/** @param why Continues "its …". */
export function leftOut(what: string, why: string): LeftOutDefinition {
  return { leftOut: true, problems: [`${what} was left out: its ${why}.`] };
}
