import type { Endpoints } from '../../../lib/openapi/endpoint.ts';
import { RelayedCall } from '../../../lib/upstreams/relay/relay-call.ts';
import {
  DeletedServer,
  LogLine,
  ReadServer,
  RestartedServer,
  SecretsStatus,
  ServerList,
  ServerLog,
} from './answers.ts';
import { describedCount, describedFlag } from './query-params.ts';
import { exampleDescription, exampleUrl, registrationEndpoints } from './registration-endpoints.ts';
import { RestartBody } from './restart-body.ts';
import { mostLines, usualLines } from './server-logs.ts';

/** The calls on servers, for the OpenAPI document and docs/api.md, in the order in which their examples hold. Those on images are in `image-endpoints.ts`. */

const path = { name: 'web' };

const web = {
  name: 'web',
  transport: 'streamable_http',
  url: exampleUrl,
  running: true,
  status: 'connected',
  tool_count: 16,
};

const program = {
  ...{ transport: 'stdio', running: true, status: 'connected', connected_at: '2026-11-23T09:30:00.000Z' },
  ...{ calls: 0, errors: 0, in_flight: 0 },
};
const packages = 'node_modules/@modelcontextprotocol';

/** The servers of `configs/`. */
const ofConfigs = [
  {
    ...{ name: 'everything', ...program, tool_count: 16 },
    description: "The protocol's own demonstration server: echo, sums, progress and every kind of content",
    command_line: `node ${packages}/server-everything/dist/index.js stdio`,
  },
  {
    ...{ name: 'filesystem', ...program, tool_count: 14 },
    description: "Reads files of this project's docs folder",
    command_line: `node ${packages}/server-filesystem/dist/index.js docs`,
  },
];

export const serverEndpoints = {
  'GET /api/servers': {
    summary: 'Lists the servers with their state.',
    description: 'Also files that were never usable, as servers that failed.',
    answers: { 200: ServerList },
    examples: [{ name: 'servers', status: 200, answer: { success: true, servers: ofConfigs } }],
  },
  ...registrationEndpoints,
  'GET /api/servers/{name}': {
    summary: 'Reads a server: its tools, config, last calls and stored data.',
    description:
      '`affected_groups` and `data` say what would go, and stay, if the server was deleted. Values of variables, headers and tokens are never shown.',
    answers: { 200: ReadServer },
    failures: ['server_not_found'],
    examples: [
      {
        name: 'server',
        path,
        status: 200,
        answer: { success: true, server: { ...web, description: exampleDescription, affected_groups: {} } },
      },
      {
        name: 'no such server',
        path: { name: 'wep' },
        status: 404,
        answer: { success: false, error: 'There is no server named `wep`.', code: 'server_not_found' },
      },
    ],
  },
  'GET /api/servers/{name}/logs': {
    summary: 'Reads the last lines that a server wrote besides its protocol.',
    description:
      'With `follow` the answer is an event stream of these lines and of all further ones, until the caller leaves. Servers that run elsewhere write nothing.',
    query: {
      tail: describedCount(usualLines, mostLines, 'How many lines'),
      follow: describedFlag('Further lines follow, as an event stream.'),
    },
    answers: {
      200: [
        { mediaType: 'application/json', description: 'The lines.', schema: ServerLog, isSuccess: true },
        {
          mediaType: 'text/event-stream',
          description: 'With `follow`: each line as an event of its own.',
          events: { message: LogLine },
        },
      ],
    },
    failures: ['server_not_found'],
    examples: [
      {
        name: 'lines',
        path: { name: 'everything' },
        query: { tail: '50' },
        status: 200,
        answer: { success: true, name: 'everything', lines: ['Starting default (STDIO) server...'] },
      },
    ],
  },
  'POST /api/servers/{name}/restart': {
    summary: 'Restarts a server, and lists its tools again.',
    description:
      'Its process or connection ends and begins anew, for every process of the installation. A container stays the same one, unless one of its secrets has changed: then files outside of volumes would be lost, which is 409 `data_at_risk`.',
    body: RestartBody,
    isBodyOptional: true,
    answers: { 200: RestartedServer },
    failures: [
      ...(['server_not_found', 'conflict', 'data_at_risk', 'upstream_unavailable'] as const),
      ...(['upstream_timeout', 'database_unavailable', 'storage_failed'] as const),
    ],
    examples: [
      {
        name: 'restarted',
        path,
        status: 200,
        answer: {
          success: true,
          message: 'Server web is restarted.',
          name: 'web',
          status: 'connected',
          tool_count: 16,
        },
      },
    ],
  },
  'GET /api/servers/secrets-status': {
    summary: 'Says which secrets each server lacks, never a value.',
    answers: { 200: SecretsStatus },
    examples: [
      {
        name: 'secrets',
        status: 200,
        answer: {
          success: true,
          method: 'env_file',
          reachable: true,
          servers: { everything: { missing: [] }, filesystem: { missing: [] }, web: { missing: [] } },
        },
      },
    ],
  },
  'DELETE /api/servers/{name}': {
    summary: 'Deletes a server with all that it owns.',
    description:
      'In this order: it stops; its tools are in no list any more; its file goes; its row goes; then its containers, volumes and secrets. A failure before the last step is taken back; what cannot be removed in the last one is in `warnings`, and is removed later. A server whose file was removed by hand is deleted with the data that was kept.',
    query: {
      forget_tools: describedFlag(
        'Its tools and prompts are also taken out of the groups, which else keep the names, as `missing`.',
      ),
    },
    answers: { 200: DeletedServer },
    failures: [
      ...(['server_not_found', 'conflict', 'config_read_only', 'provision_failed'] as const),
      ...(['database_unavailable', 'storage_failed'] as const),
    ],
    examples: [
      {
        name: 'deleted',
        path,
        status: 200,
        answer: {
          success: true,
          message: 'Server web is removed.',
          name: 'web',
          affected_groups: [],
          removed: { containers: [], volumes: [], secrets: 0 },
          kept: [],
        },
      },
    ],
  },
  'POST /internal/calls': {
    summary:
      'Passes a call on to the process that has the container of a server, its program or its secrets.',
    description:
      'For the processes of one deployment, and for nobody else: the bearer token is one that they share by their database, not `ADMIN_TOKEN`. A caller that closes the connection cancels the call.',
    body: RelayedCall,
    answers: {
      200: [
        {
          mediaType: 'application/x-ndjson',
          description:
            'One JSON object a line: `progress`, `message`, `hang_up` and `is_error` while the call is under way, and last `result`, `error` or `failure`. An empty line keeps the connection alive.',
        },
      ],
    },
    examples: [
      {
        name: 'not of this deployment',
        body: {
          ...{ server: 'memory', session_id: '7d3f', method: 'tools/call' },
          ...{ params: '{"name":"read_graph"}', progress: false },
        },
        status: 401,
        answer: { success: false, code: 'unauthorized' },
      },
    ],
  },
} satisfies Endpoints;
