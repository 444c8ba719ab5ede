import type { FailureCode } from '../failure.ts';

/** When each code is answered, for people. */
export const failureMeanings: Readonly<Record<FailureCode, string>> = {
  parse_error: 'The body is not JSON, or not UTF-8.',
  invalid_request:
    'The body is JSON but no valid message, too deep, or too large in parts; or the path is not validly encoded.',
  invalid_params:
    'A field or parameter is missing or wrong; the sentence names it and what was expected, never its value.',
  method_not_found: 'No such JSON-RPC method.',
  tool_not_found:
    'No such tool, or on the gateway one outside of the group. On the manager `details.did_you_mean` lists names that are like it.',
  prompt_not_found: 'No such prompt in the group.',
  resource_not_found: 'No such resource in the group.',
  session_required: 'The header `Mcp-Session-Id` is missing.',
  session_not_found: 'The session has ended, or is of another group.',
  group_not_found: 'No such group; the sentence names its new name when it was renamed.',
  server_not_found: 'No such server.',
  not_found: 'There is nothing at this path.',
  method_not_allowed: 'The path has other methods; the header `Allow` lists them.',
  not_acceptable: 'The header `Accept` admits none of the kinds of answer there are.',
  unsupported_media_type: 'A body needs `Content-Type: application/json`, and no `Content-Encoding`.',
  payload_too_large: 'The body is too large.',
  host_not_allowed: 'The header `Host` is none of this service.',
  origin_not_allowed: 'The request comes from the page of another site.',
  command_needs_admin: 'Registering or replacing a program of this host needs administration rights.',
  image_not_allowed: '`ALLOWED_IMAGES` leaves the image out.',
  upstream_not_allowed: '`ALLOWED_UPSTREAMS` leaves the address out.',
  secret_needs_admin: 'Referring to a secret that the server does not own needs administration rights.',
  mount_needs_admin:
    'A folder of the host, a volume by its name, or a capability needs administration rights.',
  mount_not_allowed: '`ALLOWED_MOUNTS` leaves the mount out.',
  replace_needs_admin: 'Replacing what a group uses by something elsewhere needs administration rights.',
  try_needs_admin: 'Trying a tool needs administration rights where other machines reach the port.',
  gateway_loop: 'The server is this gateway itself, or leads back to it.',
  unsupported_protocol_version: 'The header `MCP-Protocol-Version` names a revision that is not spoken here.',
  request_timeout: 'The head or the body of the request did not come in time.',
  header_too_large: 'The headers are larger than 16 KiB.',
  unauthorized: 'The token is missing or wrong (`details.reason`); the header `WWW-Authenticate` is set.',
  data_at_risk: 'Files of a container would be lost; `details` names them, and `discard_data` accepts it.',
  conflict: 'The name is taken, or the thing changed meanwhile, or another operation on it is under way.',
  group_changed:
    'The group changed since the version of `If-Match`; `details` has `tools` and `etag` of now.',
  group_unreadable: 'The file of the group cannot be used.',
  group_read_only:
    'The file of the group is kept elsewhere: a link, or a folder that is mounted read-only. `details` has the `file`, and its `text` after the change; without one it is to be deleted.',
  config_read_only:
    'The same of a server’s config file; `details.secrets` names the variables that its text refers to anew.',
  secret_read_only:
    'The secrets file is kept elsewhere; `details.secrets` names the variables to put there, or to delete.',
  too_many_requests: 'A limit is reached; `Retry-After` says when to try again.',
  upstream_unavailable: 'The MCP server cannot be reached, or does not start.',
  upstream_timeout: 'The MCP server did not answer in time.',
  upstream_error: 'The MCP server answered with an error.',
  provision_failed:
    'A step failed: 422 the image, 502 the registry, 503 the engine, 504 the server was not ready in time; `details.step` names it.',
  database_unavailable: 'The database is away, or nothing was loaded yet; `Retry-After` is set.',
  storage_failed: 'A file could not be written (507 when the disk is full); nothing was changed.',
  internal: 'A fault of the service; the log has it under the request id.',
};
