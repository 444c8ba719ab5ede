import { boolean, enums, optional, string, type } from 'superstruct';
import { about, type ValueOf } from '../../../lib/json/json-schema.ts';

/** The answers of the manager's calls about the service as a whole (docs/api.md, Service). */

const Part = type({ ok: boolean(), reason: optional(about(string(), 'Why not, in a sentence.')) });

export const ServiceStatus = type({
  version: string(),
  default_group: string(),
  gateway_url: about(string(), 'The base of the addresses that agents connect to.'),
  manager_url: string(),
  groups_dir: about(string(), 'Where group files lie.'),
  gateway_command: about(string(), 'The command line, as it is typed in a terminal of this machine.'),
  commands_allowed: about(boolean(), 'The caller may register programs: it has administration rights.'),
  protocol_version: about(string(), 'The newest revision of MCP that agents may speak here.'),
  tries_allowed: about(boolean(), 'The caller may try tools.'),
  database: Part,
  engine: Part,
  configs: about(Part, 'The folder of server configs.'),
  secrets: type({ method: enums(['env_file', 'external_manager']), reachable: boolean() }),
});
export type ServiceStatus = ValueOf<typeof ServiceStatus>;

/** The data of an event of `GET /api/events`. */
export const ChangeEvent = type({
  type: about(enums(['server', 'tools', 'group', 'provision']), 'What changed.'),
  name: about(string(), 'Name of the server or group.'),
  etag: optional(about(string(), 'Of a group: its version now.')),
});
export type ChangeEvent = ValueOf<typeof ChangeEvent>;
