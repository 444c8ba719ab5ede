import { quotedName } from '../names/shown-names.ts';
import { nestsTooDeep, readableText } from './readable-text.ts';
import type { Faults, Rule } from './rules.ts';

/**
 * The result for one definition that a server listed: the text that agents get, or that it is left out, and every fault
 * found. A definition without a fault is shown as the very same string.
 */
export type Judgement = ShownDefinition | LeftOutDefinition;

export interface ShownDefinition {
  readonly leftOut?: undefined;
  /** Raw JSON text; the server's own, to the byte, except for repairs. */
  readonly shown: string;
  /** Whole sentences, one per fault, in the order of the definition. */
  readonly problems: readonly string[];
}

export interface LeftOutDefinition {
  readonly leftOut: true;
  /** One sentence: the reason. */
  readonly problems: readonly string[];
}

/** How definitions of one kind are judged. */
export interface Kind {
  /** Such as `tool`. */
  readonly name: string;
  /** The member that requests name it by. */
  readonly key: string;
  readonly rule: Rule;
  /** Why a definition cannot be repaired; continues "its …". */
  readonly refuse?: (value: Record<string, unknown>) => string | undefined;
  /** Adds missing members. */
  readonly complete?: (definition: string, value: Record<string, unknown>, faults: Faults) => string;
}

/** Listed for one definition; the rest are counted. */
const mostFaults = 5;

/** @param definition Raw JSON text of an object with the kind's key, a string. */
export function judge(kind: Kind, definition: string): Judgement {
  const faults: Faults = [];
  const readable = readableText(definition, faults);
  const value = JSON.parse(readable) as Record<string, unknown>;
  const what = () => `The ${kind.name} ${quotedName(String(value[kind.key]))}`;
  const why = nestsTooDeep(readable) ? 'definition nests too deep' : kind.refuse?.(value);
  if (why !== undefined) return { leftOut: true, problems: [`${what()} was left out: its ${why}.`] };
  const whole = kind.complete?.(readable, value, faults) ?? readable;
  const isLawful = whole === definition && kind.rule.accepts(value);
  const shown = isLawful ? definition : (kind.rule.mend?.(whole, '', faults) ?? whole);
  return { shown, problems: faults.length === 0 ? noProblems : sentences(what(), faults) };
}

const noProblems: readonly string[] = [];

function sentences(what: string, faults: Faults): readonly string[] {
  const listed = faults.slice(0, mostFaults).map((fault) => `${what}: its ${fault}.`);
  const more = faults.length - listed.length;
  return more > 0 ? [...listed, `${what} has ${more} more such faults.`] : listed;
}
