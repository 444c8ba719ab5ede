/** What the service prints when it is ready, on one screen: its addresses and what it depends on. */
export interface StartFacts {
  readonly version: string;
  readonly managerUrl: string | undefined;
  readonly gatewayUrl: string | undefined;
  readonly defaultGroup: string;
  readonly database: string;
  readonly secrets: string;
  /** The address of the container engine, and why the engine does not serve now. */
  readonly engine: string;
  readonly servers: number;
  readonly tools: number;
  readonly groups: number;
  /** The folders of settings, groups, configs and data. */
  readonly files: string;
  /** What people type for the `svc-mcp` command. */
  readonly command: string | undefined;
  readonly warnings: readonly string[];
  readonly milliseconds: number;
}

export function startText(facts: StartFacts): string {
  const rows: [string, string | undefined][] = [
    ['dashboard', facts.managerUrl && `${facts.managerUrl}/`],
    ['agents', facts.gatewayUrl && `${facts.gatewayUrl}/v0/groups/${facts.defaultGroup}/mcp`],
    ['all tools', facts.gatewayUrl && `${facts.gatewayUrl}/api/v0/tools`],
    ['database', facts.database],
    ['secrets', facts.secrets],
    ['engine', facts.engine],
    ['files', facts.files],
    ['known', `${facts.servers} servers, ${facts.tools} tools, ${facts.groups} groups`],
    // What people type next, in another terminal.
    ['look', facts.command && `${facts.command} list tools`],
    ['connect', facts.command && `${facts.command} client claude-code`],
  ];
  const lines = rows.flatMap(([label, value]) => (value ? [`  ${label.padEnd(10)} ${value}`] : []));
  const warnings = facts.warnings.map((warning) => `  warning    ${warning}`);
  const seconds = (facts.milliseconds / 1000).toFixed(1);
  return [`svc-mcp gateway ${facts.version}, ready in ${seconds} s`, ...lines, ...warnings].join('\n');
}

/** @param problem Why the engine does not serve; undefined: the engine serves. */
export function engineText(dockerHost: string | undefined, problem: string | undefined): string {
  const where = dockerHost ?? 'the default socket';
  if (problem === undefined) return `Docker, ${where}`;
  return `no engine at ${where}: servers run as processes or are reached by URL`;
}
