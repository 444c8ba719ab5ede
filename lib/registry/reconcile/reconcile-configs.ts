import type { StoredServer } from '../../catalog/catalog.ts';
import type { ConfigFile } from '../../config/config-files.ts';
import { canonicalText } from '../../config/parse-server-config.ts';
import { referencesIn } from '../../config/references.ts';
import { withoutLiterals } from '../../config/secret-literals.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { isEngineUnavailable } from '../../containers/docker/engine-failures.ts';
import { toFailure } from '../../failure.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';
import { recordRemoval, stopContainers } from '../removal/removal-steps.ts';
import { warnOfLiterals } from '../secrets/registered-secrets.ts';
import type { ApplyChange } from './apply-change.ts';
import type { ListInBackground } from './list-in-background.ts';

/**
 * Reconciles the registered servers with the config files, at boot and after each change. No step waits for a server: a
 * new one is stored and installed and lists its tools in the background, a changed one is applied once it has started
 * (`apply-change.ts`). The next pass repairs a difference that remains, because the database is away.
 */
export interface ReconcileDependencies extends RegistryDependencies {
  readonly listInBackground: ListInBackground;
  readonly applyChange: ApplyChange;
  /** Whether an operation on this server ran since the files were read, so that the content may be old. */
  readonly isOutdated: (name: string) => boolean;
}

/** Reconciles one server with its file. */
export async function reconcileFile(
  deps: ReconcileDependencies,
  name: string,
  file: ConfigFile,
): Promise<void> {
  if (deps.isOutdated(name)) return;
  if ('problem' in file) return keepLastGood(deps, name, file);
  const problem = await mountProblem(deps, file.config);
  if (problem) return keepLastGood(deps, name, problem);
  const { known } = deps;
  const { config } = file;
  known.withFile.add(name);
  const current = known.current.get(name);
  if (!current) return addServer(deps, config);
  if (canonicalText(current) !== canonicalText(config)) return deps.applyChange.begin(config);
  deps.applyChange.cancel(name);
  if (known.problems.delete(name)) deps.bus.publish({ type: 'server', name });
}

/** Config files may mount anything but the folders that this service and the engine must keep to themselves. */
async function mountProblem({ mounts }: ReconcileDependencies, config: ServerConfig) {
  try {
    await mounts.assertAllowed(config.volumes);
    return undefined;
  } catch (error) {
    // Mounts whose judgement needs the engine are judged before a container is created, which needs the engine, too.
    if (isEngineUnavailable(error)) return undefined;
    return { problem: toFailure(error).message, references: referencesIn(config) };
  }
}

/**
 * Deregisters a server whose file was removed by hand. Its secrets and its stopped containers stay with all their data,
 * because the file may come back; deleting the server removes them.
 */
export async function reconcileRemoval(deps: ReconcileDependencies, name: string): Promise<void> {
  const { catalog, upstreams, known, log } = deps;
  if (deps.isOutdated(name)) return;
  const config = known.current.get(name) ?? catalog.server(name)?.config;
  await recordRemoval(deps, name);
  await catalog.remove(name);
  known.withFile.delete(name);
  known.problems.delete(name);
  known.current.delete(name);
  if (config === undefined) return;
  log.info({ server: name }, 'Its config file is gone: the server is deregistered.');
  await upstreams.remove(name, 'stop');
  if (config.image !== undefined) await stopContainers(deps, name);
}

/** Writes the file of a server that was registered while the folder was away, so that the next start finds it. */
export async function reconcileUnwritten(deps: ReconcileDependencies, name: string): Promise<void> {
  const { files, known, log } = deps;
  const config = known.current.get(name);
  if (deps.isOutdated(name) || config === undefined) return;
  await files.write(config);
  known.withFile.add(name);
  log.info({ server: name }, 'Its config file was written into the folder that is back.');
}

/** Installs servers from their stored configs while their files are missing. */
export function serveFromStored(deps: ReconcileDependencies, servers: readonly StoredServer[]): void {
  const { upstreams, known } = deps;
  for (const { name, config } of servers) {
    if (known.current.has(name) || deps.isOutdated(name)) continue;
    known.current.set(name, config);
    upstreams.install(config);
  }
}

async function addServer(deps: ReconcileDependencies, config: ServerConfig): Promise<void> {
  const { catalog, upstreams, known, log } = deps;
  const stored = catalog.server(config.name);
  const isStored = stored && canonicalText(stored.config) === canonicalText(withoutLiterals(config));
  if (!isStored) await catalog.store(config);
  warnOfLiterals(deps, config);
  known.current.set(config.name, config);
  known.problems.delete(config.name);
  upstreams.install(config);
  if (isStored && stored.tools.length > 0) return;
  log.info({ server: config.name }, 'Listing the tools of a server that is new or has changed.');
  deps.listInBackground(config);
}

/**
 * Records the problem of a broken file; the server continues with its config in effect, or else with the stored one.
 */
async function keepLastGood(
  deps: ReconcileDependencies,
  name: string,
  file: Extract<ConfigFile, { problem: string }>,
): Promise<void> {
  const { catalog, upstreams, known, bus, log } = deps;
  known.withFile.add(name);
  if (known.problems.get(name)?.problem !== file.problem) {
    log.warn({ file: `${name}.json`, problem: file.problem }, 'A config file cannot be used.');
    bus.publish({ type: 'server', name });
  }
  known.problems.set(name, file);
  const stored = catalog.server(name);
  if (known.current.has(name) || !stored) return;
  known.current.set(name, stored.config);
  upstreams.install(stored.config);
}
