import { type FeatureKind, judgeFeature } from '../definitions/judge-feature.ts';
import type { ServerFeature, ServerFeatures } from './features.ts';

/** What a server offers besides tools: its own definitions, and those that agents get. */
export interface JudgedFeatures {
  /** What is stored, and compared to tell whether it changed. */
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
