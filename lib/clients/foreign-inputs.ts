import { array, boolean, optional, string, type } from 'superstruct';
import { toReference } from '../config/references.ts';
import { about, type ValueOf } from '../json/json-schema.ts';

/**
 * `${input:key}` in server files of VS Code: a value that VS Code requests at the first start of the server. Here the
 * person who registers the server enters it; the placeholder itself never becomes a value.
 */
export const WantedInput = type({
  id: about(string(), 'What stands behind `input:` in the configs.'),
  description: about(string(), 'What to ask for; empty where the file does not say.'),
  password: about(boolean(), 'The value is hidden while it is typed.'),
  default: optional(about(string(), 'The value that the file suggests.')),
  options: optional(about(array(string()), 'The values to choose from; absent: any.')),
  servers: about(array(string()), 'The servers that cannot be registered without the value.'),
});
export type WantedInput = ValueOf<typeof WantedInput>;

export type ForeignInput = Omit<WantedInput, 'servers'>;

interface NamedEntry {
  readonly name: string;
  readonly config?: Readonly<Record<string, unknown>>;
}

/** Bounded, and without `$` inside: else matching many unclosed placeholders takes quadratic time. */
const placeholder = /\$\{input:([^{}$]{1,200})\}/g;

/** @param document Content of a file; VS Code describes each input in `inputs`. @returns in the order of their use. */
export function wantedInputs(
  document: Readonly<Record<string, unknown>>,
  entries: readonly NamedEntry[],
): readonly WantedInput[] {
  const declared = Array.isArray(document.inputs) ? document.inputs.flatMap(declaredInput) : [];
  const servers = new Map<string, string[]>();
  for (const { name, config } of entries) {
    for (const id of inputsIn(config)) servers.set(id, [...(servers.get(id) ?? []), name]);
  }
  return [...servers].map(([id, names]) => {
    const known = declared.find((input) => input.id === id) ?? { id, description: '', password: true };
    return { ...known, servers: names };
  });
}

/** The ids of the inputs to which the strings in the value refer. */
export function inputsIn(value: unknown): ReadonlySet<string> {
  const ids = new Set<string>();
  mapStrings(value, (text) => {
    for (const [, id = ''] of text.matchAll(placeholder)) ids.add(id);
    return text;
  });
  return ids;
}

/** The same with each input replaced by its value, if there is one. */
export function withInputs<Value>(value: Value, values: ReadonlyMap<string, string>): Value {
  const fill = (text: string) => text.replace(placeholder, (whole, id: string) => values.get(id) ?? whole);
  return mapStrings(value, fill) as Value;
}

/** The same with `${NAME}` references in the place of inputs, for checking a config before the values are known. */
export function withReferencesForInputs<Value>(value: Value): Value {
  return mapStrings(value, (text) => text.replace(placeholder, toReference('INPUT'))) as Value;
}

function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, map)]));
}

function declaredInput(given: unknown): ForeignInput[] {
  const { id, description, password, options, default: preset } = Object(given) as Record<string, unknown>;
  if (typeof id !== 'string') return [];
  return [
    {
      ...{ id, description: typeof description === 'string' ? description : '' },
      password: password === true,
      ...(typeof preset === 'string' && { default: preset }),
      ...(Array.isArray(options) && { options: options.flatMap(optionValue) }),
    },
  ];
}

/** A text, or one with a label. */
function optionValue(option: unknown): string[] {
  const value: unknown = typeof option === 'string' ? option : Object(option).value;
  return typeof value === 'string' ? [value] : [];
}
