import { optional, string } from 'superstruct';
import type { FailureCode } from '../../../lib/failure.ts';
import { described } from '../../../lib/json/json-schema.ts';

/** What the descriptions of the calls on groups and on tools share. */

export const ofReading: readonly FailureCode[] = ['group_not_found', 'database_unavailable'];
export const ofWriting: readonly FailureCode[] = [
  ...ofReading,
  'group_changed',
  'group_unreadable',
  'group_read_only',
  'storage_failed',
];
export const ofSwitching: readonly FailureCode[] = [...ofWriting, 'tool_not_found', 'conflict'];

export const ifMatch = {
  'If-Match': optional(
    described(string(), {
      anyOf: [{ const: '*' }, { pattern: '^(W/)?"[!#-~]*"$' }],
      description:
        'The `etag` that the caller saw, with its quotes: a group that is another one by now is 409 `group_changed`, with `tools` and `etag` of now in `details`. Absent or `*`: whatever it is.',
    }),
  ),
};
