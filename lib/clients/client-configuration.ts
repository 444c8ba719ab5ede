import { initializeParams, notificationText, requestText } from '../json-rpc/write.ts';
/**
 * The configuration of each agent for a group's endpoint, for the command line and the page. A token is never printed:
 * in its place stands each agent's own syntax for an environment variable (or a prompt), always named `GATEWAY_TOKEN`.
 */
export interface ClientTarget {
  /** Also the name under which the agent lists the gateway. */
  readonly group: string;
  readonly endpoint: string;
  readonly needsToken: boolean;
}

export interface ClientConfiguration {
  /** The agent's name for people. */
  readonly label: string;
  /** The file for the text; undefined: the text is run in a shell. */
  readonly file: string | undefined;
  /** Instructions for the text, in one sentence. */
  readonly where: string;
  readonly text: string;
}

export const clientNames = ['claude-desktop', 'claude-code', 'cursor', 'vscode', 'windsurf', 'curl'] as const;

export type ClientName = (typeof clientNames)[number];

export function clientConfiguration(client: ClientName, target: ClientTarget): ClientConfiguration {
  return configurations[client](target);
}

const configurations: Record<ClientName, (target: ClientTarget) => ClientConfiguration> = {
  /** Claude Desktop starts programs only from its file, so `mcp-remote` stands between. */
  'claude-desktop': ({ group, endpoint, needsToken }) => ({
    label: 'Claude Desktop',
    file: 'claude_desktop_config.json',
    where:
      'Merge this into claude_desktop_config.json (Settings, Developer, Edit Config) and restart Claude.',
    text: json({
      mcpServers: {
        [group]: {
          command: 'npx',
          args: [
            '-y',
            'mcp-remote',
            endpoint,
            ...(isPlainHttpAfar(endpoint) ? ['--allow-http'] : []),
            // biome-ignore lint/suspicious/noTemplateCurlyInString: mcp-remote fills it in
            ...(needsToken ? ['--header', 'Authorization:Bearer ${GATEWAY_TOKEN}'] : []),
          ],
          ...(needsToken ? { env: { GATEWAY_TOKEN: '<the token>' } } : {}),
        },
      },
    }),
  }),

  'claude-code': ({ group, endpoint, needsToken }) => ({
    label: 'Claude Code',
    file: undefined,
    where: 'Run this in the folder of your project (add `--scope user` for all of them).',
    text: [
      `claude mcp add --transport http ${group} ${endpoint}`,
      ...(needsToken ? ['--header "Authorization: Bearer $GATEWAY_TOKEN"'] : []),
    ].join(' '),
  }),

  cursor: ({ group, endpoint, needsToken }) => ({
    label: 'Cursor',
    file: '.cursor/mcp.json',
    where: 'Merge this into .cursor/mcp.json of your project, or into ~/.cursor/mcp.json.',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor fills it in
    text: json({ mcpServers: { [group]: { url: endpoint, ...bearer(needsToken, '${env:GATEWAY_TOKEN}') } } }),
  }),

  vscode: ({ group, endpoint, needsToken }) => ({
    label: 'VS Code',
    file: '.vscode/mcp.json',
    where: 'Merge this into .vscode/mcp.json of your project.',
    text: json({
      ...(needsToken ? { inputs: [tokenPrompt] } : {}),
      servers: {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code asks for it
        [group]: { type: 'http', url: endpoint, ...bearer(needsToken, '${input:gateway-token}') },
      },
    }),
  }),

  windsurf: ({ group, endpoint, needsToken }) => ({
    label: 'Windsurf',
    file: '~/.codeium/windsurf/mcp_config.json',
    where: 'Merge this into ~/.codeium/windsurf/mcp_config.json.',
    text: json({
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Windsurf fills it in
      mcpServers: { [group]: { serverUrl: endpoint, ...bearer(needsToken, '${env:GATEWAY_TOKEN}') } },
    }),
  }),

  curl: ({ endpoint, needsToken }) => ({
    label: 'curl',
    file: undefined,
    where: 'Run these one after the other in a shell.',
    text: curlCommands(endpoint, needsToken),
  }),
};

const tokenPrompt = {
  type: 'promptString',
  id: 'gateway-token',
  description: 'Token of the MCP gateway',
  password: true,
};

function bearer(needsToken: boolean, reference: string): object {
  return needsToken ? { headers: { Authorization: `Bearer ${reference}` } } : {};
}

function isPlainHttpAfar(endpoint: string): boolean {
  const { protocol, hostname } = new URL(endpoint);
  return protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function curlCommands(endpoint: string, needsToken: boolean): string {
  const token = needsToken ? ' -H "Authorization: Bearer $GATEWAY_TOKEN"' : '';
  const post = `curl -s ${endpoint} -H 'Content-Type: application/json'${token}`;
  const params = initializeParams({ name: 'curl', version: '1' }, { protocolVersion: '2025-03-26' });
  return [
    `SESSION=$(${post} -D - -o /dev/null -d '${requestText(1, 'initialize', params)}' | tr -d '\\r' | awk 'tolower($1)=="mcp-session-id:"{print $2}')`,
    `${post} -H "Mcp-Session-Id: $SESSION" -d '${notificationText('notifications/initialized')}'`,
    `${post} -H "Mcp-Session-Id: $SESSION" -d '${requestText(2, 'tools/list')}'`,
  ].join('\n');
}

/** Where agents of a group connect. */
export function groupEndpoint(gatewayUrl: string, group: string): string {
  return `${gatewayUrl.replace(/\/$/, '')}/v0/groups/${encodeURIComponent(group)}/mcp`;
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
