import { memberText } from '../json/raw-json.ts';
import { type Judgement, judge, type Kind } from './judgement.ts';
import { editMembers, withMember } from './raw-edits.ts';
import {
  anyObject,
  boolean,
  type Faults,
  icons,
  kindOf,
  listOf,
  objectOf,
  oneOf,
  only,
  type Rule,
  string,
} from './rules.ts';

/** Prompts, resources and resource templates. Revision 2025-11-25, schema.ts: Prompt, Resource, ResourceTemplate. */
export type FeatureKind = 'prompts' | 'resources' | 'templates';

const timestamp =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** With a time zone, as the official TypeScript clients require. */
const dateTime: Rule = {
  accepts: (value) => typeof value === 'string' && isDateTime(value),
  why: (value) => (value === null ? 'is null' : 'is no date and time with its zone (ISO 8601)'),
};

const fraction: Rule = {
  accepts: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  why: (value) => (value === null ? 'is null' : 'is no number between 0 and 1'),
};

/** The official Python clients take whole numbers only, and no larger ones in decimal notation. */
const size = only('a whole number', (value) => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 63);

const annotations = objectOf({
  optional: { audience: listOf(oneOf('user', 'assistant')), priority: fraction, lastModified: dateTime },
});

const promptArgument = objectOf({
  required: { name: string },
  optional: { title: string, description: string, required: boolean },
});

const described = { title: string, description: string, icons, _meta: anyObject };
const ofResources = { ...described, name: string, mimeType: string, annotations };

export const featureKinds: Readonly<Record<FeatureKind, Kind>> = {
  prompts: {
    name: 'prompt',
    key: 'name',
    rule: objectOf({ optional: { ...described, arguments: listOf(promptArgument) } }),
  },
  resources: {
    name: 'resource',
    key: 'uri',
    rule: objectOf({ optional: { ...ofResources, size } }),
    // As the official Python client of version 1 reads it (pydantic's AnyUrl), which is the same standard.
    refuse: ({ uri }) => (URL.canParse(String(uri)) ? undefined : 'uri is no URI'),
    complete: (definition, value, faults) => withName(definition, value, 'uri', faults),
  },
  templates: {
    name: 'resource template',
    key: 'uriTemplate',
    rule: objectOf({ optional: ofResources }),
    complete: (definition, value, faults) => withName(definition, value, 'uriTemplate', faults),
  },
};

/** @param definition Raw JSON text of an object with the kind's key. */
export function judgeFeature(kind: FeatureKind, definition: string): Judgement {
  return judge(featureKinds[kind], definition);
}

function withName(
  definition: string,
  { name }: Record<string, unknown>,
  key: string,
  faults: Faults,
): string {
  if (typeof name === 'string') return definition;
  const shown = memberText(definition, key) ?? '""';
  faults.push(`name is ${name === undefined ? 'missing' : kindOf(name)} and is shown as its ${key}`);
  if (name === undefined) return withMember(definition, 'name', shown);
  return editMembers(definition, (member, one) => (one === 'name' ? shown : member));
}

function isDateTime(text: string): boolean {
  const [, year, month, day] = timestamp.exec(text) ?? [];
  if (day === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}
