import { Conversion, ConvertBody } from '../../../lib/clients/conversion.ts';
import { TextPlace } from '../../../lib/clients/pasted-text.ts';
import { toReference } from '../../../lib/config/references.ts';
import type { Endpoints } from '../../../lib/openapi/endpoint.ts';
import { ReplaceableServer } from '../../../lib/registry/registration/name-taken.ts';
import { RegisteredServer } from './answers.ts';
import { RegistrationBody } from './registration-body.ts';
import { fieldNames, ofRegistering } from './shared-failures.ts';

/** The calls that take configs, or make them of what other clients have; a part of `serverEndpoints`. */

/** Of the server that examples register. */
export const exampleUrl = 'http://127.0.0.1:9000/mcp';
export const exampleDescription = 'The demonstration server, elsewhere';

const url = exampleUrl;
const description = exampleDescription;
const input = `\${input:key}`;

export const registrationEndpoints = {
  'POST /api/servers': {
    summary: 'Registers a server, or replaces one.',
    description: [
      'The body is a config with up to three more fields. The server is started and its tools are listed; then literal secrets move to the secrets method, `CONFIGS_DIR/<name>.json` is written, and the server serves; the answer comes after all that. When a step fails nothing has changed. 201 a new server; 200 a replaced or unchanged one, and a dry run.',
      `Which fields go together follows from the transport; a field without use is 400 \`invalid_params\`. A name that is taken is 409 \`conflict\`, unless the config is the same or \`replace\` is \`true\`; \`details\` has ${fieldNames(ReplaceableServer)}, a free name.`,
      'Without administration rights 403 answers: registering or replacing a program of this host (`command_needs_admin`), replacing what a group uses by something elsewhere (`replace_needs_admin`), referring to secrets that are not the server’s own (`secret_needs_admin`), and a mount or capability (`mount_needs_admin`). Of a server that does not start, `details.log_tail` has the last lines.',
    ].join('\n\n'),
    body: RegistrationBody,
    answers: { 200: RegisteredServer, 201: RegisteredServer },
    failures: ofRegistering,
    examples: [
      {
        name: 'tried out',
        body: { name: 'web', url, dry_run: true },
        status: 200,
        answer: {
          success: true,
          message: 'Nothing was changed; server web would be registered, with 16 tools.',
          name: 'web',
          outcome: 'registered',
          dry_run: true,
          tool_count: 16,
        },
      },
      {
        name: 'registered',
        body: { name: 'web', url },
        status: 201,
        answer: {
          success: true,
          message: 'Server web is registered with 16 tools.',
          name: 'web',
          outcome: 'registered',
          tool_count: 16,
          warnings: [],
          removed_tools: [],
        },
      },
      {
        name: 'name is taken',
        body: { name: 'web', url, description },
        status: 409,
        answer: {
          success: false,
          code: 'conflict',
          details: {
            server: 'web',
            affected_groups: {},
            origin_changes: false,
            needs_admin: false,
            suggested_name: 'web-2',
          },
        },
      },
      {
        name: 'replaced',
        body: { name: 'web', url, description, replace: true },
        status: 200,
        answer: { success: true, name: 'web', outcome: 'replaced', added_tools: [], removed_tools: [] },
      },
      {
        name: 'needs administration rights',
        body: {
          name: 'files',
          command: 'npx',
          args: ['-y', '@modelcontextprotocol/server-filesystem', '/srv'],
        },
        status: 403,
        answer: { success: false, code: 'command_needs_admin' },
      },
    ],
  },
  'POST /api/servers/convert': {
    summary: 'Converts servers of another client, or `docker run` lines, to configs.',
    description:
      'Registers and stores nothing. The body is one of `mcpServers`, `servers` (with `inputs`), `command_line` and `text`. The answer repeats values of variables, so no cache may store it. Of a `text` that is no JSON, `details` has ' +
      `${fieldNames(TextPlace)}.`,
    body: ConvertBody,
    answers: { 200: Conversion },
    examples: [
      {
        name: 'mcpServers',
        body: { mcpServers: { docs: { url } } },
        status: 200,
        answer: {
          success: true,
          configs: [{ name: 'docs', transport: 'streamable_http', url }],
          problems: [],
          warnings: [],
          inputs: [],
        },
      },
      {
        name: 'servers',
        body: { servers: { docs: { url, headers: { 'X-Key': input } } } },
        status: 200,
        answer: {
          success: true,
          configs: [{ name: 'docs', transport: 'streamable_http', url, headers: { 'X-Key': input } }],
          inputs: [{ id: 'key', description: '', password: true, servers: ['docs'] }],
        },
      },
      {
        name: 'docker run',
        body: { command_line: 'docker run -i --rm -e API_KEY mcp/memory:latest' },
        status: 200,
        answer: {
          success: true,
          configs: [
            {
              ...{ name: 'memory', transport: 'stdio', image: 'mcp/memory:latest', pull: 'missing' },
              env: { API_KEY: toReference('API_KEY') },
            },
          ],
          warnings: [
            {
              name: 'memory',
              warning: 'expects a value for `API_KEY` from the secrets method, or in `env`.',
            },
          ],
        },
      },
      {
        name: 'text',
        body: { text: 'docker run -i --rm mcp/memory:latest' },
        status: 200,
        answer: {
          success: true,
          configs: [{ name: 'memory', transport: 'stdio', image: 'mcp/memory:latest', pull: 'missing' }],
        },
      },
    ],
  },
} satisfies Endpoints;
