import type { IRequestStrict } from 'itty-router';
import { enums, optional, pattern, string } from 'superstruct';
import { Failure } from '../../../lib/failure.ts';
import { queryParam } from '../../../lib/http/route-table.ts';
import { described } from '../../../lib/json/json-schema.ts';

/** Query parameters of the server endpoints, typed; other values are refused. Each function has its struct beside it. */

const flags = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

/** `1` or `true`, `0` or `false`; absent means false. */
export function flagParam(request: IRequestStrict, name: string): boolean {
  const value = queryParam(request, name);
  const flag = value === undefined ? false : flags.get(value);
  if (flag !== undefined) return flag;
  throw new Failure('invalid_params', `Query parameter \`${name}\`: expected \`true\` or \`false\`.`);
}

export function describedFlag(description: string) {
  return optional(described(enums([...flags.keys()]), { default: 'false', description }));
}

const wholeNumber = /^[0-9]{1,9}$/;

export function countParam(request: IRequestStrict, name: string, absent: number, max: number): number {
  const value = queryParam(request, name);
  if (value === undefined) return absent;
  if (wholeNumber.test(value)) return Math.min(Number(value), max);
  throw new Failure('invalid_params', `Query parameter \`${name}\`: expected a whole number.`);
}

/** @param absent The number that applies without the parameter. */
export function describedCount(absent: number, max: number, description: string) {
  const keywords = { pattern: wholeNumber.source, default: String(absent) };
  return optional(
    described(pattern(string(), wholeNumber), {
      ...keywords,
      description: `${description}, a whole number; a larger one than ${max} counts as ${max}.`,
    }),
  );
}
