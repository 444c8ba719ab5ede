import { array, define, nonempty, optional, string, type } from 'superstruct';
import { about, described, mapOf, named, type ValueOf } from '../../json/json-schema.ts';

/** A former name that is none only finds nobody. */
const isAnything = () => true;

/** The fields of a group file (docs/api.md, Group files). Unknown fields are allowed and kept. */
export const GroupFile = named(
  'Group',
  described(
    type({
      name: about(string(), 'The name of the file without `.json`.'),
      description: optional(string()),
      included_tools: about(array(string()), 'Full names, in the order that agents get.'),
      included_servers: optional(about(array(string()), 'Servers of which the group has all tools.')),
      excluded_tools: optional(
        about(array(string()), 'Full names of tools that the group does not have after all.'),
      ),
      included_prompts: optional(
        about(array(string()), 'Full names; absent: the prompts of all servers with a tool in the group.'),
      ),
      included_resources: optional(
        about(array(string()), 'URIs; absent: the resources of all servers with a tool in the group.'),
      ),
      former_names: optional(
        described(define<string[]>('names', isAnything), {
          description: 'Names that the group had, the last eight: who asks for one is told the new one.',
        }),
      ),
      exposed_names: optional(
        about(
          mapOf(string(), described(nonempty(string()), { minLength: 1 })),
          'By full name of a tool or prompt: the name that agents see and call instead.',
        ),
      ),
    }),
    { additionalProperties: true },
  ),
);
export type GroupFile = ValueOf<typeof GroupFile>;
