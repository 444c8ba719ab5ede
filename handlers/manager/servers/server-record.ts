import type { StoredServer } from '../../../lib/catalog/catalog.ts';
import { toolFields } from '../../../lib/catalog/tool-definition.ts';
import { commandLine } from '../../../lib/config/command-line.ts';
import type { ServerVolume } from '../../../lib/config/server-config.ts';
import { type ImageRecord, imageRecord } from '../../../lib/containers/images/image-record.ts';
import { someProblems } from '../../../lib/definitions/some-problems.ts';
import type { RecentCall } from '../../../lib/observe/metrics.ts';
import { serverNotFound } from '../../../lib/registry/registry-dependencies.ts';
import { affectedTools } from '../../../lib/registry/removal/affected-groups.ts';
import { complaintOf } from '../../../lib/upstreams/connection/last-lines.ts';
import type { ManagerContext } from '../context.ts';

/**
 * A server as the manager API shows it (contract section 1). Of variables, headers and tokens only the names are
 * shown, never a value, be it a literal or a reference.
 */
export type RecordContext = Pick<
  ManagerContext,
  'catalog' | 'features' | 'groups' | 'registry' | 'upstreams' | 'containers' | 'shownImages' | 'serverCalls'
>;

export interface ServerRecord extends ImageRecord {
  readonly name: string;
  readonly description: string;
  readonly transport: string | undefined;
  readonly image?: string | undefined;
  readonly url?: string | undefined;
  /** References in it are not resolved. */
  readonly command_line?: string | undefined;
  readonly container_name?: string | undefined;
  readonly running: boolean;
  readonly status: string;
  readonly tool_count: number;
  readonly last_error?: string | undefined;
  /** What it wrote before that failure, last lines last; secrets blotted out. */
  readonly last_error_lines?: readonly string[] | undefined;
  /** The one of them that says why, if any does. */
  readonly last_error_line?: string | undefined;
  readonly connected_at?: string | undefined;
  /** Relayed by the processes of this installation since they started; `errors` of them failed. */
  readonly calls: number;
  readonly errors: number;
  readonly in_flight: number;
  readonly missing_variables?: readonly string[] | undefined;
  /** Why its config file cannot be used as it is now, or its container is not the one it should be. */
  readonly problem?: string | undefined;
  /** What is wrong with what it lists, in whole sentences; only so many of them. */
  readonly problems?: readonly string[] | undefined;
}

/** By name; files that were never usable are among them, as failed. */
export function serverRecords(context: RecordContext): ServerRecord[] {
  const stored = context.catalog.servers().map((server) => serverRecord(server, context));
  const broken = [...context.registry.brokenFiles()].map(([name, problem]) => brokenRecord(name, problem));
  return [...stored, ...broken].sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function serverRecord(server: StoredServer, context: RecordContext): ServerRecord {
  const { registry, upstreams, serverCalls } = context;
  const { name, config, tools } = server;
  const status = upstreams.status(name);
  const missing = status?.missingVariables ?? [];
  const lines = status?.lastErrorLines ?? [];
  const { total, failed, inFlight } = serverCalls.of(name);
  return {
    name,
    description: config.description,
    transport: config.transport,
    image: config.image,
    url: config.url,
    command_line: commandLine(config),
    ...runningRecord(server, context),
    tool_count: tools.length,
    last_error: status?.lastError,
    last_error_lines: lines.length > 0 ? lines : undefined,
    last_error_line: complaintOf(lines),
    connected_at: status?.state === 'connected' ? status.connectedAt?.toISOString() : undefined,
    calls: total,
    errors: failed,
    in_flight: inFlight,
    missing_variables: missing.length > 0 ? missing : undefined,
    problem: registry.problem(name) ?? context.containers?.problem?.(name),
    problems: someProblems([...server.problems, ...context.features.problems(name)]),
  };
}

/** Of a container the engine's words; of anything else its connection. */
function runningRecord(
  { name, config }: StoredServer,
  { upstreams, containers, shownImages }: RecordContext,
): Pick<ServerRecord, 'container_name' | 'running' | 'status' | keyof ImageRecord> {
  if (config.image === undefined) {
    const { state } = upstreams.status(name) ?? { state: 'idle' };
    return { running: state === 'connected', status: state };
  }
  const container = containers?.status(name);
  return {
    container_name: container?.name,
    running: container?.running ?? false,
    status: container?.status ?? 'unknown',
    ...imageRecord(shownImages?.of(name)),
  };
}

function brokenRecord(name: string, problem: string): ServerRecord {
  return {
    name,
    description: '',
    transport: undefined,
    running: false,
    status: 'failed',
    tool_count: 0,
    last_error: problem,
    calls: 0,
    errors: 0,
    in_flight: 0,
    problem,
  };
}

/**
 * One server with everything there is to say about it.
 * @throws Failure `server_not_found`
 */
export function readServerRecord(name: string, context: RecordContext): Record<string, unknown> {
  assertServer(name, context);
  const server = context.catalog.server(name);
  const affected = { affected_groups: affectedTools(context.groups, context.catalog, name) };
  if (!server) {
    return { ...brokenRecord(name, context.registry.brokenFiles().get(name) ?? ''), tools: [], ...affected };
  }
  const { config } = server;
  return {
    ...serverRecord(server, context),
    tools: server.tools.map(toolFields),
    config: {
      command: config.command,
      args: config.args,
      cwd: config.cwd,
      url: config.url,
      port: config.port,
      path: config.path,
      session_mode: config.sessionMode,
      network: config.network,
      read_only: config.readOnly,
      user: config.user,
      entrypoint: config.entrypoint,
      pull: config.image === undefined ? undefined : config.pull,
      volumes: config.volumes.length > 0 ? config.volumes.map(volumeRecord) : undefined,
      shm_mb: config.shmMb,
      capabilities: config.capabilities.length > 0 ? config.capabilities : undefined,
      env: Object.keys(config.env),
      headers: Object.keys(config.headers),
      has_bearer_token: config.bearerToken !== undefined,
    },
    ...boundsRecord(server),
    recent_calls: context.serverCalls.of(name).recent.map(recentCall),
    ...affected,
  };
}

function volumeRecord({ path, source, readOnly }: ServerVolume): Record<string, unknown> {
  return { path, source, read_only: readOnly };
}

function recentCall({ at, milliseconds, ...call }: RecentCall): Record<string, unknown> {
  return { at: new Date(at).toISOString(), ...call, milliseconds: Math.round(milliseconds) };
}

/** @throws Failure `server_not_found` when the name has neither a stored server nor a file. */
export function assertServer(
  name: string,
  { catalog, registry }: Pick<RecordContext, 'catalog' | 'registry'>,
): void {
  if (!catalog.server(name) && !registry.brokenFiles().has(name)) throw serverNotFound(name);
}

function boundsRecord({ config }: StoredServer): Record<string, unknown> {
  const { timeouts, limits } = config;
  return {
    timeouts: {
      start_ms: timeouts.startMs,
      call_ms: timeouts.callMs,
      call_cap_ms: timeouts.callCapMs,
      idle_stop_seconds: timeouts.idleStopSeconds,
    },
    limits: {
      calls: limits.calls,
      queue: limits.queue,
      line_bytes: limits.lineBytes,
      response_bytes: limits.responseBytes,
      sessions: limits.sessions,
      memory_mb: limits.memoryMb,
      cpus: limits.cpus,
      pids: limits.pids,
    },
  };
}
