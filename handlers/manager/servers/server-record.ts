import { withTimeout } from '../../../lib/async/wait.ts';
import type { StoredServer } from '../../../lib/catalog/catalog.ts';
import { commandLine } from '../../../lib/config/command-line.ts';
import { defaultPath, type ServerVolume } from '../../../lib/config/server-config.ts';
import { type ImageRecord, imageRecord } from '../../../lib/containers/images/shown-images.ts';
import type { ServerData } from '../../../lib/containers/store/container-data.ts';
import { someProblems } from '../../../lib/definitions/some-problems.ts';
import { toolFields } from '../../../lib/groups/tool-listing.ts';
import type { RecentCall } from '../../../lib/observe/metrics.ts';
import { serverNotFound } from '../../../lib/registry/registry-dependencies.ts';
import { affectedTools } from '../../../lib/registry/removal/affected-groups.ts';
import { sha256 } from '../../../lib/text/sha256.ts';
import { complaintOf } from '../../../lib/upstreams/connection/last-lines.ts';
import type { ManagerContext } from '../context.ts';
import type { ServerDetails, ServerRecord, StoredData } from './server-record-structs.ts';

/**
 * A server as the manager API shows it (docs/api.md, Records). Of variables, headers and tokens only the names are shown, never a
 * value, be it a literal or a reference.
 */
export type RecordContext = Pick<
  ManagerContext,
  'catalog' | 'features' | 'groups' | 'registry' | 'upstreams' | 'containers' | 'shownImages' | 'serverCalls'
>;

/** Sorted by name; includes files that were never usable, as failed servers. */
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

/** The status of a container at the engine, or else of the connection. */
function runningRecord(
  { name, config }: StoredServer,
  { upstreams, containers, shownImages }: RecordContext,
): Pick<ServerRecord, 'container_name' | 'running' | 'status' | keyof ImageRecord> {
  if (config.image === undefined) {
    const { state } = upstreams.status(name) ?? { state: 'idle' as const };
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
 * One server with its tools, config, limits and recent calls.
 * @throws Failure `server_not_found`
 */
export function readServerRecord(name: string, context: RecordContext): ServerDetails {
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
      path: config.path ?? (config.port === undefined ? undefined : defaultPath),
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

function volumeRecord({ path, source, readOnly }: ServerVolume) {
  return { path, source, read_only: readOnly };
}

function recentCall({ at, milliseconds, ...call }: RecentCall) {
  return { at: new Date(at).toISOString(), ...call, milliseconds: Math.round(milliseconds) };
}

/** @throws Failure `server_not_found` when the name has neither a stored server nor a file. */
export function assertServer(
  name: string,
  { catalog, registry }: Pick<RecordContext, 'catalog' | 'registry'>,
): void {
  if (!catalog.server(name) && !registry.brokenFiles().has(name)) throw serverNotFound(name);
}

function boundsRecord({ config }: StoredServer) {
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

/** The engine compares a whole layer with its image, which takes time. */
const dataTimeoutMs = 3_000;

/**
 * Data that is deleted with the server (its volumes, and the files in its container) and data that stays (mounts).
 * Undefined for a server without a container, and while the engine does not answer.
 */
export async function serverDataRecord(
  name: string,
  { catalog, containers }: Pick<ManagerContext, 'catalog' | 'containers'>,
): Promise<StoredData | undefined> {
  if (catalog.server(name)?.config.image === undefined || containers === undefined) return undefined;
  const reading: Promise<ServerData | undefined> = containers.data(name).catch(() => undefined);
  const data = await withTimeout(reading, dataTimeoutMs, () => undefined);
  if (data === undefined) return undefined;
  return {
    volumes: await Promise.all(
      data.volumes.map(async ({ path, volume, sessionId }) => ({
        path,
        volume,
        session: sessionId === undefined ? undefined : await sessionMark(sessionId),
      })),
    ),
    mounts: data.mounts.map(({ type, source, path, readOnly }) => ({
      ...{ type, source, path },
      read_only: readOnly,
    })),
    layer: data.layer,
  };
}

/** As in the names of a session's containers. The id itself is a credential of the session. */
async function sessionMark(sessionId: string): Promise<string> {
  return (await sha256(sessionId)).slice(0, 8);
}
