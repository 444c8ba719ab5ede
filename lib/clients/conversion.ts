import { array, optional, string, type, unknown } from 'superstruct';
import { ServerConfigDocument } from '../config/server-config-document.ts';
import { about, described, mapOf, type ValueOf } from '../json/json-schema.ts';
import { WantedInput } from './foreign-inputs.ts';
import { mostServers } from './foreign-servers.ts';
import { longestText } from './shell-commands.ts';

/** What `convertServers` takes and returns (`POST /api/servers/convert`). */

const entries = described(mapOf(string(), unknown()), { maxProperties: mostServers });

/** Describes the body. `convertServers` judges it itself: what is wrong with one server becomes a problem. */
export const ConvertBody = type({
  mcpServers: optional(about(entries, 'Servers by name, as in the files of most clients.')),
  servers: optional(about(entries, 'Servers by name, as in the files of VS Code.')),
  inputs: optional(about(array(unknown()), 'What VS Code asks for, beside `servers`.')),
  command_line: optional(
    described(string(), { maxLength: longestText, description: 'Lines with `docker run` or `podman run`.' }),
  ),
  text: optional(
    about(
      string(),
      'Either as it was pasted, JSON with comments and all; the other fields do not count then.',
    ),
  ),
});

const name = about(string(), 'Name of the server.');

export const Conversion = type({
  configs: about(
    array(ServerConfigDocument),
    'Bodies for `POST /api/servers`, once the inputs in them have values.',
  ),
  problems: about(
    array(type({ name, problem: string() })),
    'For a name without a config the reason; for one with a config the renamed and omitted parts.',
  ),
  warnings: about(
    array(type({ name, warning: string() })),
    'About parts of a `docker run` that could not be carried over, or have another meaning here.',
  ),
  inputs: about(
    array(WantedInput),
    'The inputs of VS Code in the configs, whose values are needed before registration.',
  ),
});
export type Conversion = ValueOf<typeof Conversion>;
