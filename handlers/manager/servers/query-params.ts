import type { IRequestStrict } from 'itty-router';
import { Failure } from '../../../lib/failure.ts';
import { queryParam } from '../../../lib/http/route-table.ts';

/** Query parameters of the server endpoints, typed; other values are refused. */

/** `1` or `true`, `0` or `false`; absent means false. */
export function flagParam(request: IRequestStrict, name: string): boolean {
  const value = queryParam(request, name);
  if (value === undefined || value === '0' || value === 'false') return false;
  if (value === '1' || value === 'true') return true;
  throw new Failure('invalid_params', `Query parameter \`${name}\`: expected \`true\` or \`false\`.`);
}

export function countParam(request: IRequestStrict, name: string, absent: number, max: number): number {
  const value = queryParam(request, name);
  if (value === undefined) return absent;
  if (/^[0-9]{1,9}$/.test(value)) return Math.min(Number(value), max);
  throw new Failure('invalid_params', `Query parameter \`${name}\`: expected a whole number.`);
}
