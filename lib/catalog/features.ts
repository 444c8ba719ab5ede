import { type FeatureKind, featureKinds, judgeFeature } from '../definitions/judge-feature.ts';
import { memberText } from '../json/raw-json.ts';
import { leftOutName, leftOutNameless } from '../names/shown-names.ts';

/**
 * What servers offer besides tools: prompts, resources, resource templates, and their capabilities. A copy in memory of
 * the stored rows, so that lists are served with every server, and the database, down. Reads never wait.
 */
export interface ServerFeature {
  /** What agents ask for: a prompt's name, a resource's URI, a template's text. */
  readonly key: string;
  /** Raw JSON text: as the server listed it where it is stored, and as agents get it where it is read. */
  readonly definition: string;
}

export interface ServerFeatures {
  /** The `capabilities` of its `initialize` result, raw JSON text. */
  readonly capabilities: string;
  readonly instructions: string | undefined;
  /** In the server's order, as the two below. */
  readonly prompts: readonly ServerFeature[];
  readonly resources: readonly ServerFeature[];
  readonly templates: readonly ServerFeature[];
  /** What the server listed and these lists leave out, in whole sentences. */
  readonly problems?: readonly string[];
}

export interface FeatureCatalog {
  /** Undefined: the server was never reached, or is not registered. */
  of(server: string): ServerFeatures | undefined;
  /** What is wrong with the server's features, in whole sentences. */
  problems(server: string): readonly string[];
  /** Reads everything from the database. Called at start; repeated by itself after a gap in the bus messages. */
  load(): Promise<void>;
  /**
   * Stores what a connection listed; publishes `offers` when that is a change. Retries while the database is away,
   * unless a newer list comes meanwhile. Never rejects.
   */
  store(server: string, features: ServerFeatures): Promise<void>;
  /** Gives up the writes that still wait. */
  close(): void;
}

/** The capabilities of a server, as far as the gateway uses them (docs/protocol.md, rule 24). */
export interface ServerCapabilities {
  readonly tools: boolean;
  readonly prompts: boolean;
  readonly resources: boolean;
  readonly subscribe: boolean;
  readonly completions: boolean;
  readonly logging: boolean;
}

/** @param capabilities Raw JSON text; anything but an object counts as no capabilities. */
export function readCapabilities(capabilities: string): ServerCapabilities {
  const value: { [name: string]: unknown; resources?: { subscribe?: unknown } } =
    JSON.parse(capabilities) ?? {};
  const has = (name: string) => value[name] != null && value[name] !== false;
  return {
    tools: has('tools'),
    prompts: has('prompts'),
    resources: has('resources'),
    subscribe: value.resources?.subscribe === true,
    completions: has('completions'),
    logging: has('logging'),
  };
}

/**
 * The features among raw definitions that have a key; of two with one key the first.
 * @param problems Gets a sentence for each that is left out.
 */
export function toFeatureList(
  definitions: readonly string[],
  kind: FeatureKind,
  problems: string[] = [],
): readonly ServerFeature[] {
  const { name, key } = featureKinds[kind];
  const features = new Map<string, ServerFeature>();
  let nameless = 0;
  for (const definition of definitions) {
    const value: unknown = JSON.parse(memberText(definition, key) ?? 'null');
    if (typeof value !== 'string' || value === '') nameless++;
    else if (features.has(value)) problems.push(leftOutName(name, value, 'is that of an earlier one', key));
    else features.set(value, { key: value, definition });
  }
  if (nameless > 0) problems.push(leftOutNameless(name, key, nameless));
  return [...features.values()];
}

/** A server's own definitions, and those that agents get. */
export interface JudgedFeatures {
  /** What is stored, and compared to find changes. */
  readonly own: ServerFeatures;
  readonly shown: ServerFeatures;
  readonly problems: readonly string[];
}

export function judgeFeatures(own: ServerFeatures): JudgedFeatures {
  const problems = [...(own.problems ?? [])];
  const judged = (kind: FeatureKind): readonly ServerFeature[] =>
    own[kind].flatMap((feature) => {
      const judgement = judgeFeature(kind, feature.definition);
      problems.push(...judgement.problems);
      if (judgement.leftOut) return [];
      return judgement.shown === feature.definition
        ? [feature]
        : [{ ...feature, definition: judgement.shown }];
    });
  const [prompts, resources, templates] = [judged('prompts'), judged('resources'), judged('templates')];
  return { own, shown: { ...own, prompts, resources, templates }, problems };
}
