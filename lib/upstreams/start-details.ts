import { array, integer, literal, optional, string, type } from 'superstruct';
import { about, type ValueOf } from '../json/json-schema.ts';

/** `details` of the failure of a server that did not start. */
export const startFields = {
  exit_code: optional(about(integer(), 'Of its process.')),
  out_of_memory: optional(about(literal(true), 'It was ended because its memory was used up.')),
  log_tail: optional(about(array(string()), 'What it wrote last; values of secrets are blotted out.')),
  missing_variables: optional(about(array(string()), 'Names of variables without a value.')),
};
const StartDetails = type(startFields);
export type StartDetails = ValueOf<typeof StartDetails>;
