import { define, refine, type Struct, string } from 'superstruct';

/** Values of fields of registration configs. Refinement texts say what is expected and never repeat the received value. */

const maxList = 256;
export const maxArgumentBytes = 8 * 1024;
export const maxValueBytes = 32 * 1024;
export const maxDescriptionBytes = 8 * 1024;

const utf8 = new TextEncoder();

/** Text that can be an argument, a variable or a header: within bounds and without U+0000. */
export function text(maxBytes: number): Struct<string, null> {
  return refine(string(), 'text', (value) => {
    if (value.includes('\0')) return 'text without U+0000';
    // A UTF-16 unit is at most three bytes of UTF-8, so short text needs no counting.
    const fits = value.length * 3 <= maxBytes || utf8.encode(value).length <= maxBytes;
    return fits || `text of at most ${maxBytes} bytes`;
  });
}

export function nonEmptyText(maxBytes: number): Struct<string, null> {
  return refine(text(maxBytes), 'not empty', (value) => value !== '' || 'text that is not empty');
}

/** Objects count by their fields, arrays by their elements. */
export function limited<Type extends object, Schema>(struct: Struct<Type, Schema>): Struct<Type, Schema> {
  return refine(
    struct,
    'size',
    (entries) => Object.keys(entries).length <= maxList || `at most ${maxList} entries`,
  );
}

export function between(min: number, max: number): Struct<number, null> {
  return define<number>('whole number', (value) => {
    const fits = Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
    return fits || `a whole number from ${min} to ${max}`;
  });
}
