import { boolean, define, optional, refine, type Struct, string } from 'superstruct';
import { described, type JsonSchema } from './json-schema.ts';

/** Values of fields of registration configs. Refinement texts say what is expected and never repeat the received value. */

const maxList = 256;
export const maxArgumentBytes = 8 * 1024;
export const maxValueBytes = 32 * 1024;
export const maxDescriptionBytes = 8 * 1024;

const utf8 = new TextEncoder();

/**
 * Text that can be an argument, a variable or a header: within bounds and without U+0000. JSON Schema counts characters, of
 * which there are at most as many.
 * @param what What the text is, for the description.
 */
export function text(maxBytes: number, what?: string): Struct<string, null> {
  const struct = refine(string(), 'text', (value) => {
    if (value.includes('\0')) return 'text without U+0000';
    // A UTF-16 unit is at most three bytes of UTF-8, so short text needs no counting.
    const fits = value.length * 3 <= maxBytes || utf8.encode(value).length <= maxBytes;
    return fits || `text of at most ${maxBytes} bytes`;
  });
  const bound = `t most ${maxBytes} bytes of UTF-8.`;
  return described(struct, {
    maxLength: maxBytes,
    pattern: '^[^\\u0000]*$',
    description: what === undefined ? `A${bound}` : `${what}; a${bound}`,
  });
}

export function nonEmptyText(maxBytes: number, what?: string): Struct<string, null> {
  const struct = refine(
    text(maxBytes, what),
    'not empty',
    (value) => value !== '' || 'text that is not empty',
  );
  return described(struct, { minLength: 1 });
}

/** @param pattern Of all values that are to fit: it becomes the schema's only `pattern`, for expressions without flags. */
export function matching<Schema>(
  struct: Struct<string, Schema>,
  name: string,
  pattern: string,
  expected: string,
): Struct<string, Schema> {
  const expression = new RegExp(pattern);
  const refined = refine(struct, name, (value) => expression.test(value) || expected);
  return described(refined, { pattern });
}

/** Objects count by their fields, arrays by their elements. */
export function limited<Type extends object, Schema>(struct: Struct<Type, Schema>): Struct<Type, Schema> {
  const refined = refine(
    struct,
    'size',
    (entries) => Object.keys(entries).length <= maxList || `at most ${maxList} entries`,
  );
  return described(refined, { [struct.type === 'array' ? 'maxItems' : 'maxProperties']: maxList });
}

/** @param keywords Further ones of its JSON Schema, such as `default`. */
export function between(min: number, max: number, keywords: JsonSchema = {}): Struct<number, null> {
  const struct = define<number>('whole number', (value) => {
    const fits = Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
    return fits || `a whole number from ${min} to ${max}`;
  });
  return described(struct, { type: 'integer', minimum: min, maximum: max, ...keywords });
}

/** A switch of a body that is off when it is absent. */
export function flag(description: string): Struct<boolean | undefined, null> {
  return optional(described(boolean(), { default: false, description }));
}
