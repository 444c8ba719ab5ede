import { array, boolean, enums, integer, literal, optional, string, type } from 'superstruct';
import { UpdateRecord } from '../../../lib/containers/images/shown-images.ts';
import { about, mapOf, type ValueOf } from '../../../lib/json/json-schema.ts';
import { message } from '../groups/answers.ts';
import {
  affectedToolNames,
  mountFields,
  ServerDetails,
  ServerRecord,
  ServerStatus,
  serverName,
} from './server-record-structs.ts';

/** The answers of the manager's server calls (docs/api.md, Servers). */

const names = array(string());
const toolCount = about(integer(), 'How many tools it has.');
const tools = about(names, 'Full names of its tools.');
const warnings = about(names, 'What else to know, in sentences.');
const problems = about(
  names,
  'Which of its definitions were repaired or left out: sentences, 20 and a count.',
);

export const ServerList = type({ servers: about(array(ServerRecord), 'Sorted by name.') });
export type ServerList = ValueOf<typeof ServerList>;

export const ReadServer = type({ server: ServerDetails });
export type ReadServer = ValueOf<typeof ReadServer>;

export const RegisteredServer = type({
  message,
  name: serverName,
  outcome: about(
    enums(['registered', 'replaced', 'unchanged']),
    '`unchanged`: the same config was registered before; its tools were listed again.',
  ),
  dry_run: optional(about(literal(true), 'Nothing was changed; the rest says what would be.')),
  tool_count: toolCount,
  tools,
  warnings,
  problems: optional(problems),
  added_tools: about(names, 'Full names of tools that it did not have before.'),
  removed_tools: about(names, 'Full names of tools that it does not have any more.'),
});
export type RegisteredServer = ValueOf<typeof RegisteredServer>;

export const provisionedFields = {
  message,
  name: serverName,
  container_name: optional(about(string(), 'Name of the container at the engine.')),
  container_running: boolean(),
  tool_count: toolCount,
  tools,
  warnings,
  problems: optional(problems),
};
export const ProvisionedServer = type(provisionedFields);
export type ProvisionedServer = ValueOf<typeof ProvisionedServer>;

export const changedImageFields = {
  message,
  name: serverName,
  unchanged: optional(about(literal(true), 'It has that image already; nothing was changed.')),
  dry_run: optional(about(literal(true), 'Nothing was changed; the rest says what would be.')),
  old_digest: about(string(), 'Digest (`sha256:…`) of the image before.'),
  new_digest: about(string(), 'Digest of the image that it is made from now.'),
  tools: about(
    type({ added: names, removed: names, changed: names }),
    'Full names of the tools that differ between the two images.',
  ),
  affected_groups: optional(about(affectedToolNames, 'By group: its tools that are removed or changed.')),
  tool_count: toolCount,
  warnings: optional(warnings),
  problems: optional(problems),
};
export const ChangedImage = type(changedImageFields);
export type ChangedImage = ValueOf<typeof ChangedImage>;

export const CheckedUpdate = type({
  message,
  name: serverName,
  update_available: optional(about(UpdateRecord, 'Absent: the server has the newest image.')),
});
export type CheckedUpdate = ValueOf<typeof CheckedUpdate>;

export const DeletedServer = type({
  message,
  name: serverName,
  affected_groups: about(names, 'Groups that name the server.'),
  removed: about(
    type({
      containers: about(names, 'Names at the engine.'),
      volumes: about(names, 'Names at the engine.'),
      secrets: about(integer(), 'How many.'),
    }),
    'What was removed with it.',
  ),
  kept: about(array(type(mountFields)), 'Folders of the host and volumes that it used, and that stay.'),
  warnings: optional(about(names, 'What is still there, and when it goes, in sentences.')),
});
export type DeletedServer = ValueOf<typeof DeletedServer>;

export const RestartedServer = type({
  message,
  name: serverName,
  status: ServerStatus,
  tool_count: toolCount,
});
export type RestartedServer = ValueOf<typeof RestartedServer>;

export const LogLine = type({ line: string() });

export const ServerLog = type({
  name: serverName,
  lines: about(
    names,
    'What it wrote besides its protocol, last lines last; `[stdout]` marks what was no standard error. Values of secrets are blotted out.',
  ),
});
export type ServerLog = ValueOf<typeof ServerLog>;

export const SecretsStatus = type({
  method: enums(['env_file', 'external_manager']),
  reachable: about(boolean(), 'While it is not, servers lack all of their secrets.'),
  problem: optional(about(string(), 'Why the secrets cannot be read.')),
  servers: about(
    mapOf(string(), type({ missing: about(names, 'Names of secrets without a value.') })),
    'By name of a server.',
  ),
});
export type SecretsStatus = ValueOf<typeof SecretsStatus>;
