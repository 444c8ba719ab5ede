import { array, boolean, enums, integer, literal, number, optional, string, type } from 'superstruct';
import { imageFields } from '../../../lib/containers/images/shown-images.ts';
import { ToolFields } from '../../../lib/groups/listed-tool.ts';
import { about, mapOf, named, type ValueOf } from '../../../lib/json/json-schema.ts';

/**
 * A server as the manager API shows it (docs/api.md, Servers). Of variables, headers and tokens only the names are shown,
 * never a value, be it a literal or a reference.
 */

export const serverName = about(string(), 'Name of the server.');
const time = (what: string) => about(string(), `${what}, a time in ISO 8601.`);
export const affectedToolNames = mapOf(string(), array(string()));
const names = array(string());

const transport = about(
  enums(['stdio', 'streamable_http', 'sse']),
  'How MCP is spoken with the server; absent while its file cannot be used.',
);

export const ServerStatus = about(
  enums([
    ...(['connected', 'connecting', 'idle', 'failed'] as const),
    ...(['created', 'running', 'paused', 'restarting', 'removing', 'exited', 'dead'] as const),
    ...(['not found', 'unknown'] as const),
  ]),
  'The first four are of a connection, and of a file that cannot be used. Of a container the engine’s word: `not found` when there is none, `unknown` while the engine is away.',
);

const recordFields = {
  name: serverName,
  description: string(),
  transport: optional(transport),
  image: optional(about(string(), 'The container image, as in the config.')),
  url: optional(about(string(), 'The address, as in the config.')),
  command_line: optional(
    about(string(), 'The command as it is typed in a shell; references to secrets stay as they are.'),
  ),
  container_name: optional(about(string(), 'Name of the container at the engine.')),
  running: about(boolean(), 'The connection is open, or the container runs.'),
  status: ServerStatus,
  ...imageFields,
  tool_count: about(integer(), 'How many tools it lists.'),
  last_error: optional(about(string(), 'Why it failed last, in a sentence.')),
  last_error_lines: optional(
    about(names, 'What it wrote before that, last lines last; values of secrets are blotted out.'),
  ),
  last_error_line: optional(about(string(), 'The one of these lines that says most.')),
  connected_at: optional(time('Since when it is connected')),
  calls: about(integer(), 'Calls of agents since the processes of this installation started.'),
  errors: about(integer(), 'How many of them failed.'),
  in_flight: about(integer(), 'Calls that are under way.'),
  missing_variables: optional(about(names, 'Names of variables without a value.')),
  problem: optional(
    about(
      string(),
      'Why its file, or its container, cannot be used as it is now; the last good config serves.',
    ),
  ),
  problems: optional(
    about(names, 'Which of its definitions were repaired or left out: sentences, 20 and a count.'),
  ),
};

export const ServerRecord = named('Server', type(recordFields));
export type ServerRecord = ValueOf<typeof ServerRecord>;

const volume = type({
  path: about(string(), 'Path inside the container.'),
  source: optional(
    about(string(), 'A path of the engine’s host, or the name of a volume; absent: a volume of its own.'),
  ),
  read_only: boolean(),
});

/** Defaults are filled in. */
const ShownConfig = type({
  command: optional(string()),
  args: names,
  cwd: optional(string()),
  url: optional(string()),
  port: optional(integer()),
  path: optional(string()),
  session_mode: enums(['stateless', 'stateful']),
  network: enums(['bridge', 'none']),
  read_only: boolean(),
  user: optional(string()),
  entrypoint: optional(names),
  pull: optional(about(enums(['always', 'missing', 'never']), 'Of a server with an image.')),
  volumes: optional(array(volume)),
  shm_mb: optional(about(integer(), 'Megabytes.')),
  capabilities: optional(names),
  env: about(names, 'Names of the variables.'),
  headers: about(names, 'Names of the headers.'),
  has_bearer_token: boolean(),
});

const shownTimeouts = type({
  start_ms: about(integer(), 'Milliseconds.'),
  call_ms: about(integer(), 'Milliseconds.'),
  call_cap_ms: about(integer(), 'Milliseconds.'),
  idle_stop_seconds: about(integer(), 'Seconds; 0: never.'),
});

const shownLimits = type({
  calls: integer(),
  queue: integer(),
  line_bytes: about(integer(), 'Bytes.'),
  response_bytes: about(integer(), 'Bytes.'),
  sessions: integer(),
  memory_mb: about(integer(), 'Megabytes.'),
  cpus: number(),
  pids: integer(),
});

const ShownCall = type({
  at: time('When it ended'),
  tool: about(string(), 'The server’s own name of the tool.'),
  outcome: about(
    string(),
    '`ok`, `tool_error` (the tool’s own `isError`), `rpc_error` (its JSON-RPC error), `cancelled`, or the code of a failure.',
  ),
  milliseconds: integer(),
  tried: optional(about(literal(true), 'Tried on the page, not called by an agent.')),
});

export const mountFields = {
  type: about(enums(['volume', 'bind']), '`bind`: a folder of the engine’s host.'),
  source: about(string(), 'The path on the engine’s host, or the name of the volume.'),
  path: about(string(), 'Path inside the container.'),
};

export const StoredData = type({
  volumes: about(
    array(
      type({
        path: about(string(), 'Path inside the container.'),
        volume: about(string(), 'Name of the volume at the engine.'),
        session: optional(
          about(
            string(),
            'Of a session’s volume: the mark that is in its name; absent: all sessions share it.',
          ),
        ),
      }),
    ),
    'What is deleted with the server.',
  ),
  mounts: about(array(type({ ...mountFields, read_only: boolean() })), 'What stays.'),
  layer: optional(
    about(
      type({ paths: about(names, 'The first of them.'), count: integer() }),
      'Files in the container outside of volumes, which are deleted as well.',
    ),
  ),
});
export type StoredData = ValueOf<typeof StoredData>;

export const ServerDetails = named(
  'ServerDetails',
  type({
    ...recordFields,
    tools: array(ToolFields),
    config: optional(about(ShownConfig, 'With defaults; absent while its file was never usable.')),
    timeouts: optional(about(shownTimeouts, 'In effect.')),
    limits: optional(about(shownLimits, 'In effect.')),
    recent_calls: optional(about(array(ShownCall), 'The last calls, newest first, tries among them.')),
    affected_groups: about(
      affectedToolNames,
      'By group that names the server: the tools that its agents lose when it goes.',
    ),
    data: optional(about(StoredData, 'Of a server in a container; absent while the engine does not answer.')),
  }),
);
export type ServerDetails = ValueOf<typeof ServerDetails>;
