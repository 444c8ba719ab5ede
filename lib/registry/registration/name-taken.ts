import { array, boolean, string, type } from 'superstruct';
import { about, mapOf, type ValueOf } from '../../json/json-schema.ts';

/** `details` of `conflict` where the name of a new server is taken. */
const takenFields = {
  suggested_name: about(string(), 'A name like it that is free.'),
};
export const NameTaken = type(takenFields);
export type NameTaken = ValueOf<typeof NameTaken>;

/** And where the server could be replaced. */
export const ReplaceableServer = type({
  server: about(string(), 'Name of the server that is there.'),
  tools: about(array(string()), 'Full names of its tools.'),
  affected_groups: about(
    mapOf(string(), array(string())),
    'By group: its tools that the group’s agents have.',
  ),
  origin_changes: about(boolean(), 'The new one is another program, image or address.'),
  needs_admin: about(boolean(), 'Replacing it needs administration rights.'),
  ...takenFields,
});
export type ReplaceableServer = ValueOf<typeof ReplaceableServer>;
