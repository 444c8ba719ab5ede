import {
  type FeatureCatalog,
  type JudgedFeatures,
  judgeFeatures,
  type ServerFeatures,
  toFeatureList,
} from '../../lib/catalog/features.ts';
import { type FeatureKind, featureKinds } from '../../lib/definitions/judge-feature.ts';
import type { Bus } from '../../lib/events/bus.ts';

/** What a test's server offers besides tools: each a name or URI, or a whole definition. */
export interface OfferContent {
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly instructions?: string;
  readonly prompts?: readonly string[];
  readonly resources?: readonly string[];
  readonly templates?: readonly string[];
}

export interface MemoryOffers extends FeatureCatalog {
  /** As if the server had listed this, and tells everybody. */
  setFeatures(server: string, content: OfferContent): void;
}

export const everyCapability = { prompts: {}, resources: { subscribe: true }, completions: {} };

/** Offers without a database, filled by hand. */
export function createMemoryOffers(bus: Bus): MemoryOffers {
  const known = new Map<string, JudgedFeatures>();

  function put(server: string, features: ServerFeatures): void {
    known.set(server, judgeFeatures(features));
    bus.publish({ type: 'offers', name: server });
  }

  return {
    of: (server) => known.get(server)?.shown,
    problems: (server) => known.get(server)?.problems ?? [],
    load: async () => {},
    store: async (server, features) => put(server, features),
    close() {},
    setFeatures: (server, content) =>
      put(server, {
        capabilities: JSON.stringify(content.capabilities ?? everyCapability),
        instructions: content.instructions,
        prompts: toFeatures(content.prompts, 'prompts'),
        resources: toFeatures(content.resources, 'resources'),
        templates: toFeatures(content.templates, 'templates'),
      }),
  };
}

function toFeatures(contents: readonly string[] = [], kind: FeatureKind) {
  const definitions = contents.map((content) =>
    content.startsWith('{"')
      ? content
      : JSON.stringify({ name: content, [featureKinds[kind].key]: content, title: `T ${content}` }),
  );
  return toFeatureList(definitions, kind);
}
